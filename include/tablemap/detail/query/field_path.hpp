// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/chosen_columns.hpp"
#include "tablemap/detail/mapping/member_fault.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

/// The names of the columns of members: `&employee::home, &address::city` is `home_City`.
namespace tablemap::inline v0_1::detail {

/// The struct that declares the first member of a path: T, or if T is a variant, the one of its types that has it.
template <class T, auto First> struct path_start { using type = T; };
template <class... Ts, auto First> struct path_start<std::variant<Ts...>, First> { using type = member_owner<First>; };

// ---- faults of a path ----------------------------------------------------------------------------------------------

enum class path_fault : std::uint8_t {
    none,
    unmapped,
    stranger,
    in_key,
    ignored,
    json,
    extras,
    not_flattened,
    structure,
    array,
    map,
    no_array,
    no_map,
    beyond,
    series,
    beyond_series,
    encrypted,
    no_blind_index,
};

constexpr path_fault find_form_fault(storage how, storage wanted) {
    if (how == wanted) return path_fault::none;
    switch (how) {
    case storage::ignored: return path_fault::ignored;
    case storage::json: return path_fault::json;
    case storage::flattened: return path_fault::structure;
    case storage::numbered: return wanted == storage::plain ? path_fault::array : path_fault::no_map;
    case storage::series: return wanted == storage::plain ? path_fault::series : path_fault::no_map;
    case storage::prefixed: return wanted == storage::plain ? path_fault::map : path_fault::no_array;
    case storage::plain: return wanted == storage::numbered ? path_fault::no_array : path_fault::no_map;
    }
    return path_fault::none;
}

template <auto Member, class S>
concept pointer_to_member_of = std::is_member_object_pointer_v<decltype(Member)> && is_member_of<Member, S>;

template <class S, bool Nested, storage Wanted, std::size_t Element, auto First, auto... Rest>
constexpr path_fault find_path_fault() {
    if constexpr (!pointer_to_member_of<First, S>) {
        return path_fault::stranger;
    } else {
        constexpr auto index = member_index<First, S>;
        constexpr auto how = options_of<S>[index].how;
        using F = field_type<S, index>;
        if constexpr (list_key_uses<S, Nested>()[index] == key_use::alone)
            return path_fault::in_key;
        else if constexpr (std::is_same_v<F, extras>)
            return path_fault::extras;
        else if constexpr (sizeof...(Rest) == 0 && how == storage::numbered && Wanted == storage::numbered)
            return Element < std::tuple_size_v<F> ? path_fault::none : path_fault::beyond;
        else if constexpr (sizeof...(Rest) == 0 && how == storage::series && Wanted == storage::numbered)
            return Element < F::extent ? path_fault::none : path_fault::beyond_series;
        else if constexpr (sizeof...(Rest) == 0 || how == storage::ignored || how == storage::json)
            return find_form_fault(how, Wanted);
        else if constexpr (how != storage::flattened)
            return path_fault::not_flattened;
        else
            return find_path_fault<property_type<F>, true, Wanted, Element, Rest...>();
    }
}

/// Refuses a path. `Path` is there for the compiler to print.
template <path_fault fault, auto... Path> constexpr bool refuse_path() {
    static_assert(fault != path_fault::unmapped,
                  "tablemap[M0]: this struct has no mapping; specialise tablemap::mapping<T> with partition_key and "
                  "row_key, at namespace scope of tablemap, before the struct is used");
    static_assert(
        fault != path_fault::stranger,
        "tablemap[Q2]: this is no member of the struct; name members of the table's own struct, and of what is "
        "flattened() in it: field<&T::home, &address::city>");
    static_assert(
        fault != path_fault::in_key,
        "tablemap[Q2]: this member is stored in the key alone, so there is no property to compare; narrow the "
        "query by partition(...), row_range(...) or leading(...), or let the part be also_stored()");
    static_assert(fault != path_fault::ignored,
                  "tablemap[Q2]: this member is ignored(), so there is no property to compare");
    static_assert(
        fault != path_fault::json,
        "tablemap[Q2]: this member is stored as_json(), one text that a filter cannot look into; store what is "
        "filtered by in a member of its own, or as a computed(...) property");
    static_assert(fault != path_fault::extras,
                  "tablemap[Q2]: which properties extras hold is not known here; give the struct a member for the one "
                  "that is filtered by, or query a table<dynamic_entity> by column(\"Name\")");
    static_assert(fault != path_fault::not_flattened,
                  "tablemap[Q2]: this member is not flattened(), so its own members are no properties");
    static_assert(fault != path_fault::structure,
                  "tablemap[Q2]: this member is flattened() into several properties; name the one to compare: "
                  "field<&T::home, &address::city>");
    static_assert(fault != path_fault::array,
                  "tablemap[Q2]: this member is numbered(), one property for each element; name the one to compare: "
                  "element<&T::hours, 3>");
    static_assert(fault != path_fault::map,
                  "tablemap[Q2]: this member is prefixed(), one property for each entry; name the one to compare: "
                  "entry<&T::tags>(\"key\")");
    static_assert(fault != path_fault::series,
                  "tablemap[P10]: this member is a series, one property for each element; name the one to compare: "
                  "element<&T::hours, 3>, or element<&T::hours>(i)");
    static_assert(fault != path_fault::no_array,
                  "tablemap[Q2]: element<...> is for a numbered() std::array or a series");
    static_assert(fault != path_fault::no_map, "tablemap[Q2]: entry<...> is for a prefixed() map");
    static_assert(
        fault != path_fault::encrypted,
        "tablemap[E1]: the service cannot compare an encrypted member; declare member<&T::m>.blind_index() and ask "
        "blind<&T::m> == value, or choose among the rows in C++ once they are read");
    static_assert(fault != path_fault::no_blind_index,
                  "tablemap[E4]: blind<...> looks up encrypted members that have a blind_index(); declare "
                  "member<&T::m>.blind_index(), or compare a member that is not encrypted by field<&T::m>");
    static_assert(fault != path_fault::beyond, "tablemap[Q2]: the array has no element of this number");
    static_assert(fault != path_fault::beyond_series,
                  "tablemap[P10]: the series has no element of this number; the first is 0, and the last N - 1");
    return false;
}

// ---- the end of a path ---------------------------------------------------------------------------------------------

template <class S, auto First, auto... Rest> constexpr auto find_path_type() {
    using F = field_type<S, member_index<First, S>>;
    if constexpr (sizeof...(Rest) == 0)
        return std::type_identity<F>{};
    else
        return find_path_type<property_type<F>, Rest...>();
}

template <class V, storage Form> constexpr auto find_element_type() {
    if constexpr (Form == storage::numbered && is_series<V>)
        return std::type_identity<typename V::element_type>{};
    else if constexpr (Form == storage::numbered)
        return std::type_identity<property_type<typename V::value_type>>{};
    else if constexpr (Form == storage::prefixed)
        return std::type_identity<property_type<typename V::mapped_type>>{};
    else
        return std::type_identity<property_type<V>>{};
}

/// The type of the value at the end of a path, which has no fault.
template <class S, storage Form, auto... Path>
using path_value =
    typename decltype(find_element_type<typename decltype(find_path_type<S, Path...>())::type, Form>())::type;

/// Refuses, with the rule and the remedy, a path to no property, or to one whose type cannot be stored.
template <class T, storage Form, std::size_t Element, auto First, auto... Rest> constexpr bool check_path() {
    using S = typename path_start<T, First>::type;
    if constexpr (!mapped<S>) {
        return refuse_path<path_fault::unmapped, First, Rest...>();
    } else {
        constexpr auto fault = find_path_fault<S, false, Form, Element, First, Rest...>();
        if constexpr (fault != path_fault::none) {
            return refuse_path<fault, First, Rest...>();
        } else {
            using value = path_value<S, Form, First, Rest...>;
            if constexpr (is_encrypted<value>)
                return refuse_path<path_fault::encrypted, First, Rest...>();
            else if constexpr (!is_property_value<value>())
                return refuse_member<value, find_plain_fault<value>(), First>();
            else
                return true;
        }
    }
}

template <class S, auto First, auto... Rest> constexpr bool has_blind_index() {
    constexpr auto index = member_index<First, S>;
    if constexpr (sizeof...(Rest) == 0)
        return options_of<S>[index].blind_index;
    else
        return has_blind_index<property_type<field_type<S, index>>, Rest...>();
}

/// Refuses a path to no property, or to one without a blind index.
template <class T, auto First, auto... Rest> constexpr bool check_blind_path() {
    using S = typename path_start<T, First>::type;
    if constexpr (!mapped<S>) {
        return refuse_path<path_fault::unmapped, First, Rest...>();
    } else {
        constexpr auto fault = find_path_fault<S, false, storage::plain, 0, First, Rest...>();
        if constexpr (fault != path_fault::none)
            return refuse_path<fault, First, Rest...>();
        else if constexpr (!has_blind_index<S, First, Rest...>())
            return refuse_path<path_fault::no_blind_index, First, Rest...>();
        else
            return true;
    }
}

struct path_writer {
    char* text = nullptr;  ///< null: only counts
    std::size_t size = 0;

    constexpr void put(std::string_view s) {
        if (text)
            for (std::size_t i = 0; i < s.size(); ++i) text[size + i] = s[i];
        size += s.size();
    }
};

template <class S, auto First, auto... Rest> constexpr void put_path(path_writer& to) {
    constexpr auto index = member_index<First, S>;
    to.put(options_of<S>[index].name);
    if constexpr (sizeof...(Rest) > 0) {
        to.put("_");
        put_path<property_type<field_type<S, index>>, Rest...>(to);
    }
}

/// The type that stores the array or the series at the end of a path, and its number of elements.
template <class S, auto... Path> using listed_member = typename decltype(find_path_type<S, Path...>())::type;
template <class V> inline constexpr storage list_form = is_series<V> ? storage::series : storage::numbered;
template <class V> constexpr std::size_t find_extent() {
    if constexpr (is_series<V>)
        return V::extent;
    else
        return std::tuple_size_v<V>;
}

/// The name of a plain property or of an element; of a map the text before its keys.
template <class S, storage Form, std::size_t Element, auto... Path> constexpr path_writer write_path(char* text) {
    path_writer to{text};
    put_path<S, Path...>(to);
    if (Form != storage::plain) to.put("_");
    if constexpr (Form == storage::numbered)
        to.put(element_digits{Element, list_form<listed_member<S, Path...>>}.view());
    return to;
}

template <class S, storage Form, std::size_t Element, auto... Path> constexpr auto make_path_text() {
    std::array<char, write_path<S, Form, Element, Path...>(nullptr).size> text{};
    write_path<S, Form, Element, Path...>(text.data());
    return text;
}
template <class S, storage Form, std::size_t Element, auto... Path>
inline constexpr auto path_text = make_path_text<S, Form, Element, Path...>();

/// The name of the column that a path without a fault leads to.
template <class T, storage Form, std::size_t Element, auto First, auto... Rest> constexpr std::string_view path_name() {
    using S = typename path_start<T, First>::type;
    if constexpr (Form == storage::plain && sizeof...(Rest) == 0) {
        return options_of<S>[member_index<First, S>].name;
    } else {
        constexpr auto const& text = path_text<S, Form, Element, First, Rest...>;
        return {text.data(), text.size()};
    }
}

// ---- elements -------------------------------------------------------------------------------------------------------

/// Refuses a path that leads to no array or series, or, with the rule and the remedy, an element that it does not have.
template <class T, std::size_t Element, auto First, auto... Rest> constexpr bool check_element_path() {
    if constexpr (!mapped<T>) {
        return refuse_path<path_fault::unmapped, First, Rest...>();
    } else {
        constexpr auto fault = find_path_fault<T, false, storage::numbered, Element, First, Rest...>();
        if constexpr (fault != path_fault::none)
            return refuse_path<fault, First, Rest...>();
        else
            return true;
    }
}

/// The columns of the array or series at the end of a path without a fault.
template <class T, auto First, auto... Rest> constexpr element_list list_at() {
    using V = listed_member<typename path_start<T, First>::type, First, Rest...>;
    return {path_name<T, storage::prefixed, 0, First, Rest...>(), find_extent<V>(), list_form<V>};
}

}  // namespace tablemap::detail
