// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/json_kinds.hpp"
#include "tablemap/detail/reflect/fields.hpp"
#include "tablemap/edm/converter.hpp"
#include "tablemap/edm/types.hpp"
#include "tablemap/mapping/converters/json_document.hpp"
#include "tablemap/mapping/encrypted.hpp"
#include "tablemap/mapping/series.hpp"
#include "tablemap/reflect/enumeration.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// The C++ types that JSON can hold, and replacements for the others.
namespace tablemap::inline v0_1::detail {

/// The JSON form of a type. Those from `real_too_small` on are refused.
enum class json_shape : std::uint8_t {
    scalar,  ///< one of the edm types that is no number but double
    integer,
    document,
    converted,
    optional,
    named_enum,
    numbered_enum,
    vector,
    array,
    series,
    map,
    structure,
    tuple,
    set,
    nothing,  ///< std::monostate
    variant,
    real_too_small,
    character,
    converter,
    nested_optional,
    enumeration,
    map_key,
    pointer,
    text_view,
    unlisted_struct,
    encrypted,
    other,
};

template <class V> struct json_part { using type = void; };
template <class V> struct json_part<std::optional<V>> { using type = V; };
template <class V, class A> struct json_part<std::vector<V, A>> { using type = V; };
template <class V, std::size_t N> struct json_part<std::array<V, N>> { using type = V; };
template <class V, std::size_t N> struct json_part<series<V, N>> { using type = std::optional<V>; };

template <class V> inline constexpr bool is_json_optional = false;
template <class V> inline constexpr bool is_json_optional<std::optional<V>> = true;
template <class V> inline constexpr bool is_json_array = false;
template <class V, std::size_t N> inline constexpr bool is_json_array<std::array<V, N>> = true;

/// Detected by its members, so that the headers of maps need not be included. Maps with equal keys have no `at`.
template <class V>
concept map_like = requires(V& map, typename V::key_type const& key) {
    typename V::mapped_type;
    map.at(key);
};

/// Sets that hold an element once, detected likewise. `insert` of those with equal elements returns no pair.
template <class V>
concept set_like = requires(V& set, typename V::key_type const& key) {
    requires std::same_as<typename V::key_type, typename V::value_type>;
    { set.insert(key).second } -> std::convertible_to<bool>;
};

/// The types within a tuple, a pair or a variant; void for others.
template <class V> struct json_parts { using types = void; };
template <class... Types> struct json_parts<std::tuple<Types...>> { using types = type_list<Types...>; };
template <class A, class B> struct json_parts<std::pair<A, B>> { using types = type_list<A, B>; };
template <class... Types> struct json_parts<std::variant<Types...>> { using types = type_list<Types...>; };
template <class V> using json_parts_of = typename json_parts<V>::types;

template <class V> inline constexpr bool is_json_variant = false;
template <class... Types> inline constexpr bool is_json_variant<std::variant<Types...>> = true;

/// std::unique_ptr, std::shared_ptr.
template <class V>
concept pointer_like = requires(V& pointer) {
    typename V::element_type;
    pointer.operator->();
};

/// The type within an optional, a container or a map; void for others.
template <class V> struct json_inner : json_part<V> {};
template <map_like V> struct json_inner<V> { using type = typename V::mapped_type; };
template <set_like V> struct json_inner<V> { using type = typename V::key_type; };
template <class V> using json_inner_of = typename json_inner<V>::type;

template <class V>
inline constexpr bool is_json_character =
    std::same_as<V, char> || std::same_as<V, wchar_t> || std::same_as<V, char8_t> || std::same_as<V, char16_t> ||
    std::same_as<V, char32_t>;

template <class V> constexpr json_shape find_json_class_shape() {
    if constexpr (is_json_array<V>)
        return json_shape::array;
    else if constexpr (is_series<V>)
        return json_shape::series;
    else if constexpr (!std::is_void_v<typename json_part<V>::type>)
        return json_shape::vector;
    else if constexpr (map_like<V>)
        return std::same_as<typename V::key_type, std::string> ? json_shape::map : json_shape::map_key;
    else if constexpr (set_like<V>)
        return json_shape::set;
    else if constexpr (std::same_as<V, std::monostate>)
        return json_shape::nothing;
    else if constexpr (is_json_variant<V>)
        return json_shape::variant;
    else if constexpr (!std::is_void_v<json_parts_of<V>>)
        return json_shape::tuple;
    else if constexpr (std::same_as<V, std::string_view>)
        return json_shape::text_view;
    else if constexpr (pointer_like<V>)
        return json_shape::pointer;
    else if constexpr (reflectable<V>)
        return json_shape::structure;
    else
        return std::is_aggregate_v<V> || std::is_union_v<V> ? json_shape::unlisted_struct : json_shape::other;
}

/// True for types other than a json_document that null is a value of.
template <class V> constexpr bool reads_json_null();

template <class V> constexpr json_shape find_json_shape() {
    if constexpr (is_encrypted<V>)
        return json_shape::encrypted;
    else if constexpr (std::same_as<V, bool>)
        return json_shape::scalar;
    else if constexpr (edm_value<V>)
        return std::integral<V> ? json_shape::integer : json_shape::scalar;
    else if constexpr (std::same_as<V, json_document>)
        return json_shape::document;
    else if constexpr (converter_fault_of<V> != converter_fault::missing)
        return converter_fault_of<V> == converter_fault::none ? json_shape::converted : json_shape::converter;
    else if constexpr (is_json_optional<V>)
        return reads_json_null<json_inner_of<V>>() ? json_shape::nested_optional : json_shape::optional;
    else if constexpr (std::floating_point<V>)
        return json_shape::real_too_small;
    else if constexpr (std::integral<V>)
        return is_json_character<V> ? json_shape::character : json_shape::integer;
    else if constexpr (declared_enum<V>)
        return is_stored_by_name<V> ? json_shape::named_enum : json_shape::numbered_enum;
    else if constexpr (std::is_enum_v<V>)
        return json_shape::enumeration;
    else if constexpr (std::is_pointer_v<V> || std::is_null_pointer_v<V>)
        return json_shape::pointer;
    else if constexpr (std::is_class_v<V> || std::is_union_v<V>)
        return find_json_class_shape<V>();
    else
        return json_shape::other;
}

template <class V> inline constexpr json_shape json_shape_of = find_json_shape<V>();
template <class V> inline constexpr json_shape json_shape_of<V const> = json_shape::other;

constexpr bool is_refused(json_shape s) noexcept { return s >= json_shape::real_too_small; }

constexpr bool holds_one_type(json_shape s) noexcept {
    return s == json_shape::optional || s == json_shape::vector || s == json_shape::array || s == json_shape::series ||
           s == json_shape::map || s == json_shape::set;
}

constexpr bool holds_several_types(json_shape s) noexcept { return s == json_shape::tuple || s == json_shape::variant; }

// ---- alternatives of a variant --------------------------------------------------------------------------------------

template <class V> constexpr json_kinds find_json_kinds();
template <class V> inline constexpr json_kinds json_kinds_of = find_json_kinds<V>();

template <class... Types> constexpr json_kinds find_kinds_of_all(type_list<Types...>) {
    return (json_kinds{} | ... | json_kinds_of<Types>);
}

/// The kinds of JSON that values of a type are written as. It does not look into structs and containers.
template <class V> constexpr json_kinds find_json_kinds() {
    constexpr auto shape = json_shape_of<V>;
    if constexpr (std::same_as<V, bool>)
        return json_kind::boolean;
    else if constexpr (shape == json_shape::integer || shape == json_shape::numbered_enum || std::same_as<V, double>)
        return json_kinds::number();
    else if constexpr (shape == json_shape::scalar || shape == json_shape::named_enum)
        return json_kind::text;
    else if constexpr (shape == json_shape::converted)
        return json_kinds_of<stored_of<V>>;
    else if constexpr (shape == json_shape::optional)
        return json_kinds_of<json_inner_of<V>> | json_kind::null;
    else if constexpr (shape == json_shape::nothing)
        return json_kind::null;
    else if constexpr (shape == json_shape::variant)
        return find_kinds_of_all(json_parts_of<V>{});
    else if constexpr (shape == json_shape::map || shape == json_shape::structure)
        return json_kind::object;
    else
        return shape == json_shape::document ? json_kinds::any() : json_kinds{json_kind::array};
}

template <class V> constexpr bool reads_json_null() {
    if constexpr (is_json_optional<V> || std::same_as<V, std::monostate>)
        return true;
    else
        return is_json_variant<V> && json_kinds_of<V>.holds(json_kind::null);
}

/// True if no two alternatives can be the same kind of JSON.
template <class... Types> constexpr bool are_told_apart(type_list<Types...>) {
    json_kinds before;
    return ((before.meets(json_kinds_of<Types>) ? false : (before = before | json_kinds_of<Types>, true)) && ...);
}

// ---- checks ---------------------------------------------------------------------------------------------------------

// A struct may hold vectors of itself, so a walk through types carries the structs that it came through.

template <class V, class... Outer> constexpr bool is_json();

/// The number of the first member that JSON cannot hold; that of members if it can hold them all.
template <class V, class... Outer, class... Types> constexpr std::size_t find_bad_field(type_list<Types...>) {
    std::size_t at = 0;
    static_cast<void>(((is_json<Types, V, Outer...>() ? ++at > 0 : false) && ...));
    return at;
}

template <class V, class... Outer> constexpr bool is_json() {
    if constexpr (json_shape_of<V> == json_shape::structure) {
        if constexpr ((std::same_as<V, Outer> || ...))
            return true;
        else
            return find_bad_field<V, Outer...>(field_types<V>{}) == field_count<V>;
    } else if constexpr (holds_one_type(json_shape_of<V>)) {
        return is_json<json_inner_of<V>, Outer...>();
    } else if constexpr (holds_several_types(json_shape_of<V>)) {
        if constexpr (find_bad_field<V, Outer...>(json_parts_of<V>{}) < json_parts_of<V>::size)
            return false;
        else
            return json_shape_of<V> != json_shape::variant || are_told_apart(json_parts_of<V>{});
    } else {
        return !is_refused(json_shape_of<V>);
    }
}

/// A type that `append_json` and `read_json` take: bool, integers, double, std::string, ticks, guid, bytes,
/// json_document, types with a converter, declared enums, and std::optional, std::vector, std::array, std::tuple,
/// std::pair, series, sets, maps from std::string, variants whose alternatives are of different kinds, and structs of
/// such types.
template <class V>
concept json_form = is_json<V>();

template <class V, auto Where, class... Outer> constexpr void refuse_json() {
    constexpr auto shape = json_shape_of<V>;
    static_assert(
        shape != json_shape::real_too_small,
        "tablemap[M6]: numbers in JSON are read as doubles, so float and long double would not read back; use "
        "double");
    static_assert(shape != json_shape::character,
                  "tablemap[M6]: a character is neither text nor number in JSON; use std::string or std::int32_t");
    static_assert(
        shape != json_shape::nested_optional,
        "tablemap[M6]: an optional of an optional, or of a variant that can be null, has two ways to be null, and JSON "
        "has one; use one optional, or std::monostate in the variant alone");
    static_assert(shape != json_shape::map_key,
                  "tablemap[M6]: names in JSON are text; use a map whose keys are std::string, or a std::vector of "
                  "structs");
    static_assert(
        shape != json_shape::pointer,
        "tablemap[M6]: a pointer cannot be stored; use the value itself, or std::optional or std::vector of it");
    static_assert(shape != json_shape::text_view,
                  "tablemap[M6]: a std::string_view would outlive the text it was read from; use std::string");
    static_assert(shape != json_shape::encrypted,
                  "tablemap[E1]: JSON would hold an encrypted member in the open; give it a property of its own, with "
                  "flattened() where it belongs to a nested struct");
    static_assert(
        shape != json_shape::other,
        "tablemap[M6]: JSON cannot hold this type; use bool, an integer, double, std::string, tablemap::ticks, "
        "tablemap::guid, tablemap::bytes, std::optional, std::vector, std::array, std::tuple, std::set, std::map from "
        "std::string, or a struct of such members, or specialise tablemap::converter for it, or for the types that "
        "tablemap ships one for, include its header from tablemap/mapping/converters");
    if constexpr (shape == json_shape::converter)
        check_converter<V, Where>();
    else if constexpr (shape == json_shape::enumeration)
        check_enumeration<V>();
    else if constexpr (shape == json_shape::unlisted_struct)
        check_reflectable<V>();
    else if constexpr (holds_one_type(shape))
        refuse_json<json_inner_of<V>, Where, Outer...>();
    else if constexpr (holds_several_types(shape)) {
        constexpr auto at = find_bad_field<V, Outer...>(json_parts_of<V>{});
        static_assert(
            at < json_parts_of<V>::size,
            "tablemap[M6]: the alternatives of a variant in JSON are told apart by their kind, and two of these are "
            "the "
            "same: null, true or false, a number, text, an array or an object; times, guids and bytes are text, and "
            "integers and double are numbers; use a struct with an optional member for each");
        if constexpr (at < json_parts_of<V>::size) refuse_json<type_at<at, json_parts_of<V>>, Where, V, Outer...>();
    } else if constexpr (shape == json_shape::structure) {
        constexpr auto at = find_bad_field<V, Outer...>(field_types<V>{});
        refuse_json<field_type<V, at>, address_of_field<V, at>(), V, Outer...>();
    }
}

/// Refuses a type that JSON cannot hold, at the innermost member at fault. `Where` is the address of the member that is
/// to be JSON: the compiler prints it. True for the others.
template <class V, auto Where> constexpr bool check_json() {
    if constexpr (!json_form<V>) refuse_json<V, Where>();
    return json_form<V>;
}

}  // namespace tablemap::detail
