// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/detail/reflect/check.hpp"
#include "tablemap/edm/converter.hpp"
#include "tablemap/edm/types.hpp"
#include "tablemap/mapping/encrypted.hpp"
#include "tablemap/mapping/extras.hpp"
#include "tablemap/mapping/members.hpp"
#include "tablemap/mapping/series.hpp"
#include "tablemap/reflect/enumeration.hpp"

#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

/// The C++ types that are properties.
namespace tablemap::inline v0_1::detail {

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

// ---- kinds of types -------------------------------------------------------------------------------------------------

/// An integer that is stored as Edm.Int32 or Edm.Int64 with its range checked. The 8-bit ones, `signed char` and
/// `unsigned char` in C++, are numbers.
template <class V>
concept checked_integer = std::integral<V> && sizeof(V) <= 8 && !character<V> && !edm_value<V>;

template <class V> constexpr bool is_storable_time() {
    if constexpr (is_sys_time<V>)
        return is_whole_ticks<typename V::duration>;
    else
        return false;
}

template <class V> inline constexpr bool is_time_point = false;
template <class C, class D> inline constexpr bool is_time_point<std::chrono::time_point<C, D>> = true;

template <class V> inline constexpr bool is_std_array = false;
template <class V, std::size_t N> inline constexpr bool is_std_array<std::array<V, N>> = true;

template <class V> inline constexpr bool is_vector = false;
template <class V, class A> inline constexpr bool is_vector<std::vector<V, A>> = true;

template <class V> inline constexpr bool is_map = false;
template <class K, class V, class C, class A> inline constexpr bool is_map<std::map<K, V, C, A>> = true;
template <class K, class V, class H, class E, class A>
inline constexpr bool is_map<std::unordered_map<K, V, H, E, A>> = true;

/// An enum that is stored as its enumeration says. An enum with a converter is stored as the converter says.
template <class V>
concept plain_enum = std::is_enum_v<V> && !has_converter<V>;

/// A type that is one property: an Edm type's own, one that is converted to it, or an encrypted one of these.
template <class V> constexpr bool is_property_value() {
    if constexpr (is_encrypted<V>)
        return !is_encrypted<opened_type<V>> && is_property_value<opened_type<V>>();
    else if constexpr (edm_value<V> || checked_integer<V> || is_storable_time<V>())
        return true;
    else if constexpr (plain_enum<V>)
        return declared_enum<V>;
    else
        return converter_fault_of<V> == converter_fault::none;
}
template <class V>
concept property_value_type = is_property_value<V>();

}  // namespace tablemap::detail
