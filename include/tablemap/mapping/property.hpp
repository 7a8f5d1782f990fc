// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/types.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Which C++ types a property can have, and what to use instead of the others.
namespace tablemap::detail {

template <class V> inline constexpr bool is_optional = false;
template <class V> inline constexpr bool is_optional<std::optional<V>> = true;

template <class V> struct optional_inner { using type = V; };
template <class V> struct optional_inner<std::optional<V>> { using type = V; };
template <class V> using property_type = typename optional_inner<V>::type;

template <edm_value V> constexpr edm_type edm_type_of() {
    if constexpr (std::same_as<V, std::string>)
        return edm_type::string;
    else if constexpr (std::same_as<V, bool>)
        return edm_type::boolean;
    else if constexpr (std::same_as<V, std::int32_t>)
        return edm_type::int32;
    else if constexpr (std::same_as<V, std::int64_t>)
        return edm_type::int64;
    else if constexpr (std::same_as<V, double>)
        return edm_type::real;
    else if constexpr (std::same_as<V, ticks>)
        return edm_type::datetime;
    else if constexpr (std::same_as<V, guid>)
        return edm_type::guid;
    else
        return edm_type::binary;
}

// ---- refusals: each type that users try, with what to use instead ---------------------------------------------------

template <class V>
inline constexpr bool is_character =
    std::same_as<V, char> || std::same_as<V, signed char> || std::same_as<V, unsigned char> ||
    std::same_as<V, wchar_t> || std::same_as<V, char8_t> || std::same_as<V, char16_t> || std::same_as<V, char32_t>;

template <class V>
inline constexpr bool is_64_bit_integer = std::integral<V>&& std::is_signed_v<V> && sizeof(V) == 8 &&
                                          !std::same_as<V, std::int64_t>;

template <class V> inline constexpr bool is_vector = false;
template <class V, class A> inline constexpr bool is_vector<std::vector<V, A>> = true;

template <class V> inline constexpr bool is_chrono_time = false;
template <class C, class D> inline constexpr bool is_chrono_time<std::chrono::time_point<C, D>> = true;
template <class R, class P> inline constexpr bool is_chrono_time<std::chrono::duration<R, P>> = true;

enum class member_fault {
    none,
    real_too_small,
    character,
    nested_optional,
    pointer,
    text_view,
    integer_64,
    integer_unsigned,
    integer_small,
    enumeration,
    time,
    vector,
    other,
};

template <class V> constexpr member_fault find_member_fault() {
    using P = property_type<V>;
    if constexpr (edm_value<P>)
        return member_fault::none;
    else if constexpr (std::same_as<P, float> || std::same_as<P, long double>)
        return member_fault::real_too_small;
    else if constexpr (is_character<P>)
        return member_fault::character;
    else if constexpr (is_optional<P>)
        return member_fault::nested_optional;
    else if constexpr (std::is_pointer_v<P> || std::is_null_pointer_v<P>)
        return member_fault::pointer;
    else if constexpr (std::same_as<P, std::string_view>)
        return member_fault::text_view;
    else if constexpr (is_64_bit_integer<P>)
        return member_fault::integer_64;
    else if constexpr (std::unsigned_integral<P>)
        return member_fault::integer_unsigned;
    else if constexpr (std::integral<P>)
        return member_fault::integer_small;
    else if constexpr (std::is_enum_v<P>)
        return member_fault::enumeration;
    else if constexpr (is_chrono_time<P>)
        return member_fault::time;
    else if constexpr (is_vector<P>)
        return member_fault::vector;
    else
        return member_fault::other;
}

/// Refuses a member type that is no property type. `Where` is the member's address: the compiler prints it, clang 14 in a
/// form that can be read, which a name as a template argument would not have.
template <class V, auto Where> constexpr bool check_member_type() {
    constexpr auto fault = find_member_fault<V>();
    static_assert(fault != member_fault::real_too_small,
                  "tablemap[M4]: Edm.Double is 64 bits wide, so float and long double would not read back; use double");
    static_assert(
        fault != member_fault::character,
        "tablemap[M4]: a character is neither text nor number to the service; use std::string or std::int32_t");
    static_assert(fault != member_fault::nested_optional,
                  "tablemap[M3]: a property is there or not, so an optional of an optional says nothing; use one");
    static_assert(fault != member_fault::pointer,
                  "tablemap[M4]: a pointer cannot be stored; use the value itself, or std::optional of it");
    static_assert(fault != member_fault::text_view,
                  "tablemap[M4]: a std::string_view would outlive the text it was read from; use std::string");
    static_assert(fault != member_fault::integer_64,
                  "tablemap[M4]: use std::int64_t, the type of Edm.Int64 on every platform");
    static_assert(fault != member_fault::integer_unsigned,
                  "tablemap[M4]: the service has no unsigned numbers; use std::int32_t or std::int64_t");
    static_assert(fault != member_fault::integer_small,
                  "tablemap[M4]: the service has no numbers of this width; use std::int32_t");
    static_assert(fault != member_fault::enumeration,
                  "tablemap[M4]: an enum has no property type of its own; use std::int32_t or std::string");
    static_assert(fault != member_fault::time,
                  "tablemap[M2]: use tablemap::ticks, the 100 ns UTC instant of Edm.DateTime; it converts from "
                  "std::chrono::sys_time");
    static_assert(
        fault != member_fault::vector,
        "tablemap[M6]: a property holds one value; use tablemap::bytes for binary data, or one entity per element");
    static_assert(
        fault != member_fault::other,
        "tablemap[M2]: this member's type is no property type; use std::string, bool, std::int32_t, std::int64_t, "
        "double, tablemap::ticks, tablemap::guid, tablemap::bytes, or std::optional of one");
    return fault == member_fault::none;
}

}  // namespace tablemap::detail
