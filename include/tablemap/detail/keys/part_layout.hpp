// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_value.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/reflect/enumeration.hpp"

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ratio>
#include <string>
#include <string_view>
#include <type_traits>

/// The layout of a key's part as data: the codec that uses it is the same code for every key.
namespace tablemap::inline v0_1::detail {

enum class part_kind : std::uint8_t { literal, text, number, name, time, real, id };

/// `digits`: exactly `width` decimal digits; `hex`: 16 of an ordered double; `units`: hexadecimal complements of UTF-16
/// units; `period`: the digits of the time at which a period begins.
enum class part_form : std::uint8_t { plain, digits, hex, escaped, units, hashed, bucket, period };

/// The fault of a declared part. The messages stand in `check_part`.
enum class part_fault : std::uint8_t {
    none,
    forbidden_literal,
    unordered_real,
    empty_range,
    range_of_negatives,
    range_beyond_type,
    width_below_range,
    width_below_enum,
    width_of_negatives,
};

inline constexpr std::size_t guid_key_length = 36;
inline constexpr std::size_t time_key_length = 19;
inline constexpr std::size_t hash_key_length = 16;
inline constexpr std::uint8_t no_earlier_part = 0xFF;
inline constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63U;

struct part_layout {
    part_kind kind = part_kind::literal;
    part_form form = part_form::plain;
    part_fault fault = part_fault::none;
    bool is_signed = false;
    bool descending = false;
    bool has_range = false;
    bool also_stored = false;
    bool generated = false;
    bool may_be_empty = false;               ///< the key may be empty with it
    bool terminated = false;                 ///< escaped text that is followed by another part
    bool unsorted = false;                   ///< a converter's values sort in another way than what it stores
    std::uint8_t same_as = no_earlier_part;  ///< the first part of the same member, if an earlier one exists
    std::uint8_t bits = 0;                   ///< the bits of a number's type
    std::size_t width = 0;                   ///< length in bytes, a literal's too; 0 if it varies
    std::uint64_t low = 0, high = 0;         ///< the values allowed, by their ranks
    std::uint64_t offset = 0;                ///< added to a number before it is written
    std::uint64_t top = 0;      ///< the number that a descending number is subtracted from; 0: as many nines as digits
    std::uint64_t buckets = 0;  ///< the number of buckets of `spread`
    std::uint64_t period = 0;   ///< the length of a period, in ticks
    enum_entry const* entries = nullptr;  ///< the enumerators of an enum that lists its values
    std::size_t entry_count = 0;
    std::string_view name{};     ///< the member's
    std::string_view literal{};  ///< the text of a literal
    part_ops const* ops = nullptr;
};

/// The modifiers of a part.
struct part_options {
    std::size_t width = 0;
    std::uint64_t low = 0, high = 0;
    bool has_range = false;
    bool ordered = false;
    bool descending = false;
    bool escaped = false;
    bool also_stored = false;
    bool generated = false;
    bool may_be_empty = false;
    part_fault fault = part_fault::none;
};

// ---- member types ---------------------------------------------------------------------------------------------------

template <class V>
concept character = std::same_as<V, char> || std::same_as<V, wchar_t> || std::same_as<V, char8_t> ||
    std::same_as<V, char16_t> || std::same_as<V, char32_t>;

template <class V>
concept key_integer = std::integral<V> && !std::same_as<V, bool> && !character<V>;

template <class V> constexpr bool is_key_time() {
    if constexpr (is_sys_time<V>)
        return is_whole_ticks<typename V::duration>;
    else
        return std::same_as<V, ticks>;
}

/// The position of an integer in the order of its type.
constexpr std::uint64_t rank_of(std::uint64_t number, bool is_signed) noexcept {
    return is_signed ? number ^ sign_bit : number;
}

template <class Integer> constexpr void describe_integer(part_layout& p) {
    using limits = std::numeric_limits<Integer>;
    p.kind = part_kind::number;
    p.is_signed = limits::is_signed;
    p.bits = 8 * sizeof(Integer);
    p.low = rank_of(static_cast<std::uint64_t>(limits::min()), p.is_signed);
    p.high = rank_of(static_cast<std::uint64_t>(limits::max()), p.is_signed);
}

/// The form that a part of this type has without modifiers.
template <class V> constexpr part_layout plain_layout() {
    part_layout p;
    if constexpr (std::same_as<V, std::string>) {
        p.kind = part_kind::text;
    } else if constexpr (std::same_as<V, guid>) {
        p.kind = part_kind::id;
        p.width = guid_key_length;
    } else if constexpr (std::same_as<V, double>) {
        p.kind = part_kind::real;
    } else if constexpr (is_key_time<V>()) {
        p.kind = part_kind::time;
        p.form = part_form::digits;
        p.width = time_key_length;
        p.high = p.top = static_cast<std::uint64_t>(ticks::max().count());
    } else if constexpr (std::same_as<V, bool>) {
        p.kind = part_kind::number;
        p.form = part_form::digits;
        p.width = 1;
        p.high = p.top = 1;
    } else if constexpr (key_integer<V>) {
        describe_integer<V>(p);
    } else if constexpr (declared_enum<V>) {
        describe_integer<std::underlying_type_t<V>>(p);
        if (is_stored_by_name<V>) p.kind = part_kind::name;
        if (!takes_any_value<V>) p.entries = enum_entries<V>.data();
        p.entry_count = enum_entries<V>.size();
    }
    return p;
}

constexpr part_layout literal_layout(std::string_view text) {
    part_layout p;
    p.literal = text;
    p.width = text.size();
    if (find_forbidden_in_key(text) != std::string_view::npos) p.fault = part_fault::forbidden_literal;
    return p;
}

// ---- from options to a layout ---------------------------------------------------------------------------------------

constexpr std::size_t count_digits(std::uint64_t value) noexcept {
    std::size_t digits = 1;
    while (value /= 10) ++digits;
    return digits;
}

/// The greatest value of so many digits, as far as 64 bits hold it.
constexpr std::uint64_t greatest_of_digits(std::size_t digits) noexcept {
    if (digits >= std::numeric_limits<std::uint64_t>::digits10 + 1) return ~std::uint64_t{};
    std::uint64_t value = 1;
    for (std::size_t i = 0; i < digits; ++i) value *= 10;
    return value - 1;
}

constexpr void pad(part_layout& p, part_options const& o) noexcept {
    p.form = part_form::digits;
    p.offset = p.top = 0;
    p.has_range = o.has_range;
    p.width = o.width;
    auto const highest = rank_of(o.has_range ? o.high : greatest_of_digits(o.width), p.is_signed);
    // A rank of more than 63 bits of a signed type has overflowed: the width is wider than the type.
    bool const beyond_type = p.is_signed && (o.has_range ? o.high : greatest_of_digits(o.width)) >= sign_bit;
    p.low = rank_of(o.has_range ? o.low : 0, p.is_signed);
    if (!beyond_type && highest < p.high) p.high = highest;
    if (o.has_range) {
        auto const needed = count_digits(o.high);
        if (p.width == 0) p.width = needed;
        if (p.width < needed) p.fault = part_fault::width_below_range;
        if (o.low > o.high) p.fault = part_fault::empty_range;
    }
    for (std::size_t i = 0; p.entries && i < p.entry_count; ++i) {
        auto const value = p.entries[i].value;
        if (value < 0)
            p.fault = part_fault::width_of_negatives;
        else if (count_digits(static_cast<std::uint64_t>(value)) > p.width)
            p.fault = part_fault::width_below_enum;
    }
}

constexpr void put_in_order(part_layout& p) noexcept {
    p.form = part_form::digits;
    if (p.is_signed) {
        bool const wide = p.bits > 32;
        p.offset = wide ? sign_bit : std::uint64_t{1} << 31U;
        p.top = wide ? ~std::uint64_t{} : 0xFFFF'FFFFU;
    } else {
        p.top = p.high;
    }
    p.width = count_digits(p.top);
}

/// The layout of a part of a type whose plain layout is `p`, with these modifiers.
constexpr part_layout lay_out(part_layout p, part_options const& o) noexcept {
    bool const ordered = o.ordered || o.descending;
    p.descending = o.descending;
    p.also_stored = o.also_stored;
    p.generated = o.generated;
    p.may_be_empty = o.may_be_empty;
    if (p.kind == part_kind::text) {
        p.form = o.descending ? part_form::units : o.escaped || ordered ? part_form::escaped : part_form::plain;
    } else if (p.kind == part_kind::real) {
        p.form = ordered ? part_form::hex : part_form::plain;
        p.width = ordered ? hash_key_length : 0;
        if (!ordered) p.fault = part_fault::unordered_real;
    } else if (p.kind == part_kind::number && (o.width != 0 || o.has_range)) {
        pad(p, o);
    } else if (p.kind == part_kind::number && p.form == part_form::plain && ordered) {
        put_in_order(p);
    }
    if (o.fault != part_fault::none) p.fault = o.fault;
    return p;
}

/// True if the end of a part can be found without the text that follows.
constexpr bool ends_itself(part_layout const& p) noexcept {
    return p.width != 0 || p.terminated || p.form == part_form::units;
}

/// True if a part's value can be read from a key.
constexpr bool is_readable(part_layout const& p) noexcept {
    return p.kind != part_kind::literal && p.form != part_form::hashed && p.form != part_form::bucket &&
           p.form != part_form::period;
}

/// Sets the members of layouts that depend on a part's neighbours.
constexpr void join_layouts(part_layout* parts, std::size_t count) noexcept {
    bool follows = false;
    for (std::size_t i = count; i-- > 0;) {
        auto& p = parts[i];
        p.terminated = p.form == part_form::escaped && follows;
        follows = follows || p.kind != part_kind::literal || p.width != 0;
        p.same_as = no_earlier_part;
        if (!is_readable(p)) continue;
        for (std::size_t k = i; k-- > 0;)
            if (is_readable(parts[k]) && parts[k].name == p.name) p.same_as = static_cast<std::uint8_t>(k);
    }
}

/// True if keys sort by the values of this part; `last`: no part follows in the key.
constexpr bool sorts_by_value(part_layout const& p, bool last) noexcept {
    if (p.unsorted) return false;
    switch (p.form) {
    case part_form::hashed:
    case part_form::bucket:
    case part_form::period: return false;
    case part_form::plain: return p.kind == part_kind::id || (p.kind == part_kind::text && last);
    default: return true;
    }
}

/// True if every part can be read back: a part of varying length must end itself, or a literal or the key's end must
/// come after it.
constexpr bool can_be_told_apart(part_layout const* parts, std::size_t count) noexcept {
    bool open = false;
    for (std::size_t i = 0; i < count; ++i) {
        bool const literal = parts[i].kind == part_kind::literal;
        if (!literal && open) return false;
        open = literal ? open && parts[i].width == 0 : !ends_itself(parts[i]);
    }
    return true;
}

}  // namespace tablemap::detail
