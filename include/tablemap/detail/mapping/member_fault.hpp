// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/property.hpp"
#include "tablemap/edm/limits.hpp"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

/// The C++ types that a member can have in each form, and replacements for the others.
namespace tablemap::inline v0_1::detail {

enum class member_fault : std::uint8_t {
    none,
    real_too_small,
    character,
    nested_optional,
    pointer,
    text_view,
    enumeration,
    fine_time,
    broken_time,
    other_clock,
    array,
    vector,
    map,
    structure,
    converter,
    converter_not_included,
    other,
    not_flat,
    flat_optional,
    not_numbered,
    numbered_element,
    not_prefixed,
    prefixed_element,
    required_optional,
    required_many,
    nested_extras,
    key_rule,
    computed_type,
    encrypted_form,
    computed_encrypted,
    blind_index,
    series_form,
    series_wrapped,
    series_extent,
    series_element,
    series_optional_element,
    series_required,
};

/// A `std::filesystem::path`, whose header is not included here.
template <class V>
concept path_like = requires(V const& v) {
    { v.lexically_normal() } -> std::same_as<V>;
    v.native();
};

/// True for the types of std that have a converter in a header of their own.
template <class V> constexpr bool has_converter_header() {
    if constexpr (is_vector<V>)
        return std::same_as<typename V::value_type, std::uint8_t>;
    else
        return is_duration<V> || std::same_as<V, std::chrono::year_month_day> || path_like<V>;
}

template <class V> constexpr member_fault find_plain_fault() {
    using P = property_type<V>;
    if constexpr (is_property_value<P>())
        return member_fault::none;
    else if constexpr (is_encrypted<P> && (is_encrypted<opened_type<P>> || is_optional<opened_type<P>>))
        return member_fault::encrypted_form;
    else if constexpr (is_encrypted<P>)
        return find_plain_fault<opened_type<P>>();
    else if constexpr (std::same_as<P, float> || std::same_as<P, long double>)
        return member_fault::real_too_small;
    else if constexpr (character<P>)
        return member_fault::character;
    else if constexpr (is_optional<P>)
        return member_fault::nested_optional;
    else if constexpr (std::is_pointer_v<P> || std::is_null_pointer_v<P>)
        return member_fault::pointer;
    else if constexpr (std::same_as<P, std::string_view>)
        return member_fault::text_view;
    else if constexpr (plain_enum<P>)
        return member_fault::enumeration;
    else if constexpr (is_sys_time<P>)
        return is_fraction_of_tick<typename P::duration> ? member_fault::fine_time : member_fault::broken_time;
    else if constexpr (is_time_point<P>)
        return member_fault::other_clock;
    else if constexpr (has_converter_header<P>())
        return member_fault::converter_not_included;
    else if constexpr (is_series<P>)
        return member_fault::series_wrapped;
    else if constexpr (is_std_array<P>)
        return member_fault::array;
    else if constexpr (is_vector<P>)
        return member_fault::vector;
    else if constexpr (is_map<P>)
        return member_fault::map;
    else if constexpr (converter_fault_of<P> != converter_fault::missing)
        return member_fault::converter;
    else if constexpr (std::is_class_v<P> && std::is_aggregate_v<P>)
        return member_fault::structure;
    else
        return member_fault::other;
}

template <class V> constexpr member_fault find_flat_fault() {
    if constexpr (is_property_value<property_type<V>>() || is_std_array<V> || is_map<V> || is_vector<V>)
        return member_fault::not_flat;
    else
        return reflectable<property_type<V>> ? member_fault::none : member_fault::not_flat;
}

template <class V, bool Required> constexpr member_fault find_numbered_fault() {
    if constexpr (!is_std_array<V>)
        return member_fault::not_numbered;
    else if constexpr (!is_property_value<property_type<typename V::value_type>>())
        return member_fault::numbered_element;
    else
        return Required && is_optional<typename V::value_type> ? member_fault::required_optional : member_fault::none;
}

template <class V> constexpr member_fault find_prefixed_fault() {
    if constexpr (is_map<V>) {
        if constexpr (std::same_as<typename V::key_type, std::string>)
            return is_property_value<typename V::mapped_type>() ? member_fault::none : member_fault::prefixed_element;
    }
    return member_fault::not_prefixed;
}

template <class V, storage How, bool Required> constexpr member_fault find_series_fault() {
    using E = typename V::element_type;
    if constexpr (How != storage::series)
        return member_fault::series_form;
    else if constexpr (Required)
        return member_fault::series_required;
    else if constexpr (V::extent == 0 || V::extent > limits::properties)
        return member_fault::series_extent;
    else if constexpr (is_optional<E>)
        return member_fault::series_optional_element;
    else
        return is_property_value<E>() ? member_fault::none : member_fault::series_element;
}

/// The reason why a member of type V cannot be stored in a form; `none` if it can.
template <class V, storage How, bool Required> constexpr member_fault find_member_fault() {
    constexpr bool one_kind = How == storage::plain || How == storage::numbered || How == storage::json;
    if constexpr (is_series<V> && How != storage::ignored && How != storage::json)
        return find_series_fault<V, How, Required>();
    else if constexpr (Required && (!one_kind || (How == storage::plain && std::same_as<V, extras>)))
        return member_fault::required_many;
    else if constexpr (How == storage::flattened)
        return find_flat_fault<V>();
    else if constexpr (How == storage::numbered)
        return find_numbered_fault<V, Required>();
    else if constexpr (How == storage::prefixed)
        return find_prefixed_fault<V>();
    else if constexpr (Required && is_optional<V>)
        return member_fault::required_optional;
    else if constexpr (How == storage::ignored || How == storage::json ||
                       (How == storage::plain && std::same_as<V, extras>))
        return member_fault::none;  // json_check.hpp has rules of its own
    else
        return find_plain_fault<V>();
}

/// Refuses a member. `Where` is its address: the compiler prints it, and clang 14 prints it readably, unlike a name as
/// a template argument.
template <class V, member_fault fault, auto Where> constexpr bool refuse_member() {
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
    static_assert(fault != member_fault::enumeration,
                  "tablemap[M4]: an enum must say how it is stored; declare template <> inline constexpr auto "
                  "tablemap::enumeration<E> = tablemap::by_name<E::a, E::b>, or by_number<...>, before it is mapped");
    static_assert(
        fault != member_fault::fine_time,
        "tablemap[M2]: Edm.DateTime counts 100 ns, so a finer time would not read back; use tablemap::ticks or "
        "std::chrono::sys_time<tablemap::tick_duration>, or include tablemap/mapping/converters/system_time.hpp, which "
        "rounds it down to 100 ns");
    static_assert(
        fault != member_fault::broken_time,
        "tablemap[M2]: Edm.DateTime counts whole units of 100 ns, which this time is no multiple or fraction of; use "
        "tablemap::ticks, or std::chrono::sys_time of microseconds or coarser, counted in integers");
    static_assert(fault != member_fault::other_clock,
                  "tablemap[M2]: only times of the system clock have a calendar; use tablemap::ticks or "
                  "std::chrono::sys_time");
    static_assert(fault != member_fault::array,
                  "tablemap[M6]: say how a std::array is stored: member<&T::m>.numbered(), one property for each "
                  "element, or .as_json()");
    static_assert(fault != member_fault::vector, "tablemap[M6]: a property holds one value; use tablemap::bytes for "
                                                 "binary data, member<&T::m>.as_json(), or one "
                                                 "entity per element");
    static_assert(fault != member_fault::map,
                  "tablemap[M6]: say how a map is stored: member<&T::m>.prefixed(), one property for each entry, or "
                  ".as_json()");
    static_assert(
        fault != member_fault::structure,
        "tablemap[M6]: say how a nested struct is stored: member<&T::m>.flattened(), one property for each of "
        "its members, or .as_json(); or specialise tablemap::converter<T>");
    static_assert(
        fault != member_fault::converter_not_included,
        "tablemap[M2]: the converter for this member's type has a header of its own; include "
        "tablemap/mapping/converters/duration.hpp for a std::chrono::duration, date.hpp for a year_month_day, path.hpp "
        "for a path, octets.hpp for a std::vector<std::uint8_t>");
    static_assert(
        fault != member_fault::other,
        "tablemap[M2]: this member's type is no property type; use std::string, bool, an integer, double, "
        "tablemap::ticks, std::chrono::sys_time, tablemap::guid, tablemap::bytes, an enum, or std::optional of one; or "
        "specialise tablemap::converter<T>; or for a std::set, std::tuple, std::pair or std::variant, say "
        "member<&T::m>.as_json()");
    static_assert(fault != member_fault::not_flat,
                  "tablemap[M6]: flattened() is for a nested struct whose members can be listed, or an optional one");
    static_assert(
        fault != member_fault::flat_optional,
        "tablemap[M6]: an optional struct of members that may all be absent could not be told from an empty one; "
        "give it a member that is no optional, or store it with .as_json()");
    static_assert(fault != member_fault::not_numbered,
                  "tablemap[M6]: numbered() is for a std::array; use .as_json() for lists of any length");
    static_assert(fault != member_fault::numbered_element,
                  "tablemap[M6]: the elements of a numbered() array must each be one property; use .as_json()");
    static_assert(fault != member_fault::not_prefixed,
                  "tablemap[M6]: prefixed() is for a map from std::string; use .as_json() for other containers");
    static_assert(fault != member_fault::prefixed_element,
                  "tablemap[M6]: the values of a prefixed() map must each be one property, which is there or not; use "
                  ".as_json()");
    static_assert(fault != member_fault::required_optional,
                  "tablemap[M3]: an optional member may be absent, so it cannot be required(); make it no optional");
    static_assert(fault != member_fault::required_many,
                  "tablemap[M7]: required() is for members that have properties of their own; of a nested struct, "
                  "require members in its own mapping; maps, extras and ignored() members have nothing to require");
    static_assert(fault != member_fault::nested_extras,
                  "tablemap[M8]: extras keep the unknown columns of the whole row, so the member belongs in the mapped "
                  "struct itself and not in a nested one");
    static_assert(fault != member_fault::key_rule,
                  "tablemap[K4]: this member is stored in the key alone, so no rule of members() applies to it; remove "
                  "the rule, or let the part be also_stored()");
    static_assert(fault != member_fault::computed_type,
                  "tablemap[M7]: a computed property's function takes the entity and returns a value that a member "
                  "could have, such as std::string or std::optional<std::int32_t>");
    static_assert(fault != member_fault::encrypted_form,
                  "tablemap[E1]: encrypted<T> holds one value, which is there; say std::optional<encrypted<T>> for one "
                  "that may be absent");
    static_assert(fault != member_fault::computed_encrypted,
                  "tablemap[E1]: a computed property is for other readers and for filters, which an encrypted one is "
                  "not for; make it a member of type encrypted<T>");
    static_assert(fault != member_fault::blind_index,
                  "tablemap[E4]: blind_index() is for a member of type encrypted<T>, or std::optional of one, that is "
                  "one property; others are found by field<&T::m> == value");
    static_assert(fault != member_fault::series_form,
                  "tablemap[P10]: a series is one property for each element by itself; take numbered(), flattened() or "
                  "prefixed() from its rule");
    static_assert(fault != member_fault::series_wrapped,
                  "tablemap[P10]: a series is a member by itself, and its elements may be absent as they are; say "
                  "series<T, N> for an optional one, and series<encrypted<T>, N> for an encrypted one");
    static_assert(fault != member_fault::series_extent,
                  "tablemap[P10]: a series has 1 to 252 elements, since each is one property of the entity; spread a "
                  "longer one over several entities, such as one for each day");
    static_assert(fault != member_fault::series_element,
                  "tablemap[P10]: an element of a series is one property: a number, text, a time, an enum with an "
                  "enumeration, a type with a converter; of a struct, make one series of each of its members");
    static_assert(fault != member_fault::series_optional_element,
                  "tablemap[P10]: the elements of a series may be absent as they are; say series<T, N>, and not "
                  "series<std::optional<T>, N>");
    static_assert(fault != member_fault::series_required,
                  "tablemap[P10]: the elements of a series may be absent, so it cannot be required(); use a numbered() "
                  "std::array where every element is there");
    if constexpr (fault == member_fault::converter) return check_converter<opened_type<property_type<V>>, Where>();
    return false;
}

}  // namespace tablemap::detail
