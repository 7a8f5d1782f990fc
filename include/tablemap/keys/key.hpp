// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/keys/member_part.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

/// Keys as compositions of literal text and members.
///
/// This is the text of each part in a key. It must never be changed or renumbered, since keys outlive programs. "In
/// order" means that the order of keys is the order of values; keys are compared by their UTF-16 code units, as the
/// service does.
///
///   literal                  its bytes
///   std::string              its bytes, UTF-8. In order if nothing follows
///   integer                  decimal digits, '-' before negative ones. Not in order
///   integer, .width(n)       exactly n decimal digits, '0' in front; no negative values. In order
///   integer, .range(a, b)    the same with as many digits as b has; no values outside [a, b]. In order
///   enum                     declared by_number: as an integer of its underlying type; by_name: the name, not in order
///   bool                     '0' or '1'
///   guid                     36 characters, lower case, with hyphens. In order
///   ticks, sys_time          19 decimal digits, '0' in front, of the count of 100 ns since 0001-01-01. In order
///   with a converter         as the type that the converter stores. In order if the converter keeps the order
///
/// `.ordered()`, in order for every value:
///
///   int8 to int32, enum      10 decimal digits of v + 2^31
///   int64, enum              20 decimal digits of v + 2^63
///   unsigned, enum           as many decimal digits as the type's greatest value has: 3, 5, 10 or 20
///   double                   16 hexadecimal digits, lower case, of its IEEE bits, all inverted for negative values
///                            and only the sign for others; -0 is written as +0
///   text                     `.escaped()`
///   all others               as above, which is in order already
///
/// `.descending()`, in the reverse order of values:
///
///   .width(n), .range(a, b)  n digits of 10^n - 1 - v
///   integer, enum, bool      the ordered form of n digits, of the greatest that it writes (2^32 - 1, 2^64 - 1, the
///                            type's greatest value, 1) less the ordered number
///   ticks, sys_time          19 digits of 3155378975999999999 - t, as .NET's
///                            String.Format("{0:D19}", DateTime.MaxValue.Ticks - t)
///   double                   the ordered form with all bits inverted
///   guid                     its text form of all bytes inverted
///   text                     each UTF-16 code unit u as 4 hexadecimal digits, lower case, of 0xFFFF - u; then '~'
///
/// `.escaped()` text may hold any character, and other parts may follow. A character that keys cannot hold, or that
/// leads an escape, becomes the greatest allowed one below it and a suffix:
///
///   U+0000 to U+001F         ' ' and one of 0-9a-v          space       " z"
///   '"'  "\"0"   '#'  "\"1"   '.'  ".0"   '/'  ".1"   '>'  ">0"   '?'  ">1"   '['  "[0"   '\'  "[1"   '~'  "~0"
///   U+007F  "~1"             U+0080 to U+009F               "~2" and one of 0-9a-v
///
/// All others stand for themselves. If anything follows in the key, " !" comes after the text.
///
/// `.hashed()` is 16 hexadecimal digits, lower case, of h, and `spread<N>(…)` is h modulo N in as many decimal digits
/// as N - 1 has, where h is a hash of the bytes of the part's text without modifiers (a double's: ordered): FNV-1a of
/// 64 bits (offset 14695981039346656037, prime 1099511628211), then h ^= h >> 33, h *= 0xff51afd7ed558ccd, h ^= h >>
/// 33, h *= 0xc4ceb9fe1a85ec53, h ^= h >> 33.
///
/// `expiry_in(…)` writes a time and, as another part, the beginning of its hour or day: 19 digits of t - t modulo
/// 36,000,000,000 or 864,000,000,000.
namespace tablemap::inline v0_1 {

namespace detail {

/// A literal as a part of a key; its text is in the part's layout.
struct literal_part {};

}  // namespace detail

/// The member as a part of a key: `key("empid_", part<&employee::id>.width(6))`.
template <auto Member> inline constexpr member_part<Member> part{};

/// One of N buckets, chosen by a hash of the member's value, against hot partitions:
/// `key(spread<16>(part<&event::device>))`. It cannot be read back: the member must stand in the keys in another form
/// too, or be `.also_stored()`.
template <std::size_t Buckets, auto Member> constexpr auto spread(member_part<Member> const& p) {
    static_assert(Buckets >= 2 && Buckets <= 1000, "tablemap[K6]: spread<N> takes 2 to 1000 buckets");
    return spread_part<Buckets, Member>{p};
}

/// A partition key or row key: literals and members in their order. Made by `key(…)`.
template <class... Parts> struct key_template { std::array<detail::part_layout, sizeof...(Parts)> layouts; };

namespace detail {

// A string literal lives as long as the program; the text of another array cannot become part of a constant.
template <std::size_t N> constexpr part_layout layout_of(char const (&s)[N]) { return literal_layout({s, N - 1}); }
template <auto Member> constexpr part_layout layout_of(member_part<Member> const& p) { return p.layout(); }
template <auto Member> constexpr part_layout layout_of(hashed_part<Member> const& p) { return p.layout(); }
template <std::size_t Buckets, auto Member> constexpr part_layout layout_of(spread_part<Buckets, Member> const& p) {
    return p.layout();
}
template <auto Member> constexpr part_layout layout_of(period_part<Member> const& p) { return p.layout(); }

/// Other types give themselves as a literal: `as_key_part()` returns its text, a string_view of static storage.
template <class T>
requires requires(T const& t) {
    { t.as_key_part() } -> std::same_as<std::string_view>;
}
constexpr part_layout layout_of(T const& t) { return literal_layout(t.as_key_part()); }

template <class T>
concept key_argument = requires(T const& t) {
    layout_of(t);
};

template <class Argument> struct part_of { using type = literal_part; };
template <class Argument>
requires requires { Argument::is_key_part; }
struct part_of<Argument> {
    using type = Argument;
};

}  // namespace detail

/// Composes a key of string literals and `part<&T::member>`. A key of one literal is constant; `key("")` is the empty
/// key. A key of members must not be empty, unless a part is `.may_be_empty()`.
template <class... Arguments> constexpr auto key(Arguments const&... arguments) {
    static_assert(
        (detail::key_argument<Arguments> && ...),
        "tablemap[K1]: a key is composed of string literals and part<&T::member>; nothing else can stand in it");
    if constexpr ((detail::key_argument<Arguments> && ...)) {
        key_template<typename detail::part_of<Arguments>::type...> k{{detail::layout_of(arguments)...}};
        detail::join_layouts(k.layouts.data(), k.layouts.size());
        return k;
    } else {
        return key_template<>{};  // one message is enough
    }
}

}  // namespace tablemap
