// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/guid.hpp"
#include "tablemap/reflect/name.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

/// Keys as compositions of literal text and members.
///
/// The text that each part takes in a key, never to be changed or renumbered, since keys outlive programs:
///
///   literal                  its bytes
///   std::string              its bytes, UTF-8
///   integer                  decimal digits, '-' before negative ones
///   integer, .width(n)       exactly n decimal digits, '0' in front; no negative values. Order of keys = order of values
///   guid                     36 characters, lower case, with hyphens. Order of keys = order of texts
namespace tablemap {

/// The member types that a key can hold.
template <class V>
concept key_value = std::same_as<V, std::string> || std::same_as<V, std::int32_t> || std::same_as<V, std::int64_t> ||
    std::same_as<V, guid>;

namespace detail {

template <std::size_t N> struct literal_part {
    char text[N]{};

    constexpr explicit literal_part(char const (&s)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
    }
    constexpr std::string_view view() const noexcept { return {text, N - 1}; }
};

}  // namespace detail

/// A member's place in a key. Made by `part<&T::member>`.
template <auto Member> class member_part {
public:
    using owner = detail::member_owner<Member>;
    using value_type = detail::member_type<Member>;
    static constexpr auto member = Member;

    /// The same part with exactly `digits` decimal digits, zeros in front. Values that are negative or need more digits
    /// are refused when a key is made (`library_errc::key_part_does_not_fit`).
    constexpr member_part width(std::size_t digits) const {
        static_assert(std::integral<value_type>, "tablemap[K2]: width(n) pads numbers; this member is no integer");
        member_part p = *this;
        p.width_ = digits;
        return p;
    }

    constexpr std::size_t digits() const noexcept { return width_; }

private:
    std::size_t width_ = 0;
};

/// The member as a part of a key: `key("empid_", part<&employee::id>.width(6))`.
template <auto Member> inline constexpr member_part<Member> part{};

/// A partition key or row key: literals and members in their order. Made by `key(…)`.
template <class... Parts> struct key_template { std::tuple<Parts...> parts; };

namespace detail {

template <std::size_t N> constexpr auto as_part(char const (&s)[N]) { return literal_part<N>{s}; }
template <auto Member> constexpr auto as_part(member_part<Member> const& p) { return p; }

template <class T>
concept key_argument = requires(T const& t) {
    as_part(t);
};

}  // namespace detail

/// Composes a key of string literals and `part<&T::member>`. A key of one literal is constant; `key("")` is the empty key.
template <class... Arguments> constexpr auto key(Arguments const&... arguments) {
    static_assert(
        (detail::key_argument<Arguments> && ...),
        "tablemap[K1]: a key is composed of string literals and part<&T::member>; nothing else can stand in it");
    if constexpr ((detail::key_argument<Arguments> && ...))
        return key_template<decltype(detail::as_part(arguments))...>{std::tuple{detail::as_part(arguments)...}};
    else
        return key_template<>{};  // one message is enough
}

}  // namespace tablemap
