// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/limits.hpp"
#include "tablemap/keys/key_codec.hpp"
#include "tablemap/mapping/mapping.hpp"
#include "tablemap/mapping/property.hpp"
#include "tablemap/reflect/fields.hpp"
#include "tablemap/wire/writer.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

/// What a mapping says about a struct, as compile-time facts, with every rule checked where it can be named.
namespace tablemap::detail {

template <class T> inline constexpr bool is_key_template = false;
template <class... Parts> inline constexpr bool is_key_template<key_template<Parts...>> = true;

template <class T> struct key_lists { using type = key_members<mapping<T>::partition_key, mapping<T>::row_key>; };

/// The key members of T, each once.
template <class T> using key_members_of = typename key_lists<T>::type;

template <class T, std::size_t I, auto... Members> constexpr bool is_any_of(member_list<Members...>) {
    return ((member_index<Members, T> == I) || ...);
}

/// True if field I is stored in a key and so is no property.
template <class T, std::size_t I> inline constexpr bool is_in_key = is_any_of<T, I>(key_members_of<T>{});

constexpr bool is_property_name(std::string_view name) noexcept {
    return is_identifier(name) && name.size() <= limits::property_name_units && !is_system_name(name) &&
           name != token_property;
}

/// Refuses a member whose name is no property name. `Where` is the member's address: the compiler prints it.
template <class T, std::size_t I, auto Where> constexpr bool check_property_name() {
    constexpr auto name = field_name<T, I>;
    static_assert(!is_system_name(name),
                  "tablemap[M7]: PartitionKey, RowKey and Timestamp belong to the service; name this member otherwise");
    static_assert(name != token_property,
                  "tablemap[M7]: TablemapOperation is the property of operation tokens; name this member otherwise");
    static_assert(
        is_identifier(name) && name.size() <= limits::property_name_units,
        "tablemap[M7]: a property name is at most 255 letters, digits and underscores, no digit first; rename "
        "this member");
    return is_property_name(name);
}

template <class T, std::size_t I> constexpr bool check_field() {
    if constexpr (is_in_key<T, I>)
        return true;
    else if constexpr (find_member_fault<field_type<T, I>>() != member_fault::none)
        return check_member_type<field_type<T, I>, address_of_field<T, I>()>();
    else if constexpr (!is_property_name(field_name<T, I>))
        return check_property_name<T, I, address_of_field<T, I>()>();
    else
        return true;
}

/// Checks every rule of T's mapping. A static_assert says which one is broken.
template <class T> constexpr bool check_mapping() {
    static_assert(
        mapped<T>,
        "tablemap[M0]: this struct has no mapping; specialise tablemap::mapping<T> with partition_key and row_key, "
        "at namespace scope of tablemap, before the struct is used");
    if constexpr (mapped<T>) {
        using partition_key = std::remove_cvref_t<decltype(mapping<T>::partition_key)>;
        using row_key = std::remove_cvref_t<decltype(mapping<T>::row_key)>;
        static_assert(is_key_template<partition_key> && is_key_template<row_key>,
                      "tablemap[K1]: partition_key and row_key are static constexpr and made by tablemap::key(...)");
        if constexpr (is_key_template<partition_key> && is_key_template<row_key>) {
            if constexpr (check_reflectable<T>()) {
                bool const keys =
                    check_key_template<mapping<T>::partition_key, T>() && check_key_template<mapping<T>::row_key, T>();
                static_assert(field_count<T> <= limits::properties + key_members_of<T>::size,
                              "tablemap[M12]: an entity has at most 252 properties beside its keys; split the struct");
                return keys&&[]<std::size_t... I>(std::index_sequence<I...>) { return (check_field<T, I>() && ...); }
                (std::make_index_sequence<field_count<T>>{});
            }
        }
    }
    return false;
}

/// `,"name":` or `,"name@odata.type":"Edm.X","name":`, made at compile time.
template <class T, std::size_t I> constexpr auto make_property_text() {
    constexpr auto type = edm_type_of<property_type<field_type<T, I>>>();
    constexpr auto name = field_name<T, I>;
    constexpr std::string_view open = ",\"", close = "\":", annotate = "@odata.type\":\"", end = "\"";
    constexpr bool annotated = needs_annotation(type);
    constexpr std::size_t size =
        open.size() + name.size() + close.size() +
        (annotated ? open.size() + name.size() + annotate.size() + edm_name(type).size() + end.size() : 0);
    std::array<char, size> text{};
    std::size_t at = 0;
    auto put = [&](std::string_view s) {
        for (char const c : s) text[at++] = c;
    };
    if (annotated) {
        put(open), put(name), put(annotate), put(edm_name(type)), put(end);
    }
    put(open), put(name), put(close);
    return text;
}
template <class T, std::size_t I> inline constexpr auto property_text_storage = make_property_text<T, I>();
template <class T, std::size_t I>
inline constexpr std::string_view property_text{property_text_storage<T, I>.data(), property_text_storage<T, I>.size()};

}  // namespace tablemap::detail
