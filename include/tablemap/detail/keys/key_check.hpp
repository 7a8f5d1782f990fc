// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/key_members.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

/// The rules of keys, with messages that name the broken rule and its remedy.
namespace tablemap::inline v0_1::detail {

template <class V> inline constexpr bool is_optional_like = requires(V const& v) {
    v.has_value();
    *v;
};

/// `encrypted<T>`, which this layer does not know.
template <class V> inline constexpr bool is_encrypted_like = requires(V const& v) {
    v.value();
    *v;
    typename V::value_type;
}
&&!is_optional_like<V>;

/// Puts the member's name into the compiler's "required from" line.
template <auto Member, class Type> constexpr bool check_part_type() {
    if constexpr (has_converter<Type> && !key_value<Type>) {
        if constexpr (check_converter<Type, Member>())
            static_assert(
                key_value<Type>,
                "tablemap[K2]: the converter of this member's type stores tablemap::bytes, which have no form in a "
                "key; store another type, or use another member");
    } else if constexpr (is_sys_time<Type>) {
        static_assert(key_value<Type>,
                      "tablemap[K2]: a time in a key is counted in whole ticks of 100 ns, but this one is finer, or no "
                      "whole number; hold it as tablemap::ticks or std::chrono::sys_time<tablemap::tick_duration>");
    } else if constexpr (std::is_enum_v<Type> && !has_converter<Type>) {
        check_enumeration<Type>();
    } else {
        static_assert(!is_encrypted_like<Type>,
                      "tablemap[E1]: keys are stored in the open, and an encrypted member must not be; leave it out of "
                      "the key, or hold it without encrypted<T>");
        static_assert(!is_optional_like<Type>,
                      "tablemap[K2]: a part of a partition key or row key always has a value; hold this member without "
                      "std::optional, or leave it out of the key");
        static_assert(
            key_value<Type> || is_optional_like<Type> || is_encrypted_like<Type>,
            "tablemap[K2]: a key part must be a std::string, integer, enum, bool, double, guid, ticks or sys_time, or "
            "of a type with a tablemap::converter to one of these; use another member, or specialise the converter");
    }
    return true;
}

template <auto Member, part_fault Fault> constexpr bool check_part_form() {
    static_assert(Fault != part_fault::unordered_real,
                  "tablemap[K2]: a double has no plain form in a key; say ordered() or descending()");
    static_assert(Fault != part_fault::empty_range, "tablemap[K2]: range(low, high) needs low <= high");
    static_assert(Fault != part_fault::range_of_negatives,
                  "tablemap[K2]: range(low, high) is for values that are not negative; use ordered() for all");
    static_assert(Fault != part_fault::range_beyond_type,
                  "tablemap[K2]: the member's type does not hold the whole of range(low, high); declare what it holds");
    static_assert(
        Fault != part_fault::width_below_range,
        "tablemap[K2]: width(n) has too few digits for range(low, high); leave out the width, which the range "
        "gives, or make it wider");
    static_assert(Fault != part_fault::width_below_enum,
                  "tablemap[K2]: width(n) has too few digits for the enum's greatest enumerator; make it wider");
    static_assert(Fault != part_fault::width_of_negatives,
                  "tablemap[K2]: width(n) takes no negative values, but the enum has some; use ordered()");
    return true;
}

/// The keys of entities, whose parts always have values, or that of an index, which leaves out entities without a value
/// for a part.
enum class key_role : bool { of_entity, of_index };

template <class Owner, auto const& Key, std::size_t Index, key_role Role, class Part> constexpr void check_part() {
    if constexpr (!is_literal_part<Part>) {
        using source = source_part<Part>;
        static_assert(std::is_base_of_v<typename source::owner, Owner>,
                      "tablemap[K1]: the parts of a key must be members of the mapped struct itself");
        using value =
            std::conditional_t<Role == key_role::of_index, typename source::part_type, typename source::value_type>;
        check_part_type<source::member, value>();
        constexpr auto fault = Key.layouts[Index].fault;
        if constexpr (fault != part_fault::none && key_value<value>) check_part_form<source::member, fault>();
    }
}

template <class... Parts> constexpr bool parts_can_be_told_apart(key_template<Parts...> const& k) {
    return can_be_told_apart(k.layouts.data(), sizeof...(Parts));
}

template <class... Parts> constexpr bool literals_are_legal(key_template<Parts...> const& k) {
    for (auto const& p : k.layouts)
        if (p.fault == part_fault::forbidden_literal) return false;
    return true;
}

/// True if no rule about the members of these parts can be broken, whatever Owner is otherwise.
template <class Owner, class Part> constexpr bool is_ordinary_part() {
    if constexpr (is_literal_part<Part>)
        return true;
    else
        return key_value<typename source_part<Part>::value_type> &&
               std::is_same_v<typename source_part<Part>::owner, Owner>;
}

template <std::size_t N> constexpr bool has_no_fault(std::array<part_layout, N> const& parts) {
    for (auto const& p : parts)
        if (p.fault != part_fault::none) return false;
    return can_be_told_apart(parts.data(), N);
}

template <class Owner, class... Parts> constexpr bool is_ordinary_key(key_template<Parts...> const& k) {
    return (is_ordinary_part<Owner, Parts>() && ...) && has_no_fault(k.layouts);
}

template <auto const& Key, class Owner, key_role Role> constexpr bool check_parts_of_key() {
    []<class... Parts, std::size_t... I>(std::type_identity<key_template<Parts...>>, std::index_sequence<I...>) {
        (..., check_part<Owner, Key, I, Role, Parts>());
    }(std::type_identity<std::remove_cvref_t<decltype(Key)>>{}, std::make_index_sequence<Key.layouts.size()>{});
    static_assert(literals_are_legal(Key),
                  "tablemap[K5]: a literal in a key may not hold / \\ # ? or control characters");
    static_assert(
        parts_can_be_told_apart(Key),
        "tablemap[K4]: two parts stand side by side in this key and the first varies in length, so the key could "
        "not be read back; put a literal between them, or give the first a width(n), ordered() or escaped()");
    return true;
}

/// The checks of single parts are compiled for keys alone that break a rule, or might.
template <auto const& Key, class Owner, key_role Role = key_role::of_entity> constexpr bool check_key_template() {
    if constexpr (!is_ordinary_key<Owner>(Key)) return check_parts_of_key<Key, Owner, Role>();
    return true;
}

/// Gives the compiler's "required from" line the member's name.
template <auto Member, bool Hashed, bool Spread> constexpr bool check_recoverable() {
    static_assert(!Hashed,
                  "tablemap[K4]: a hash cannot be read back, and nothing else holds this member; say also_stored(), or "
                  "put the member into a key in another form too");
    static_assert(
        !Spread,
        "tablemap[K6]: a bucket cannot be read back, and nothing else holds this member; say also_stored(), or "
        "put the member into a key in another form too");
    return true;
}

template <auto const& PartitionKey, auto const& RowKey, class Part> constexpr void check_part_recoverable() {
    if constexpr (is_hashed_part<Part> || is_spread_part<Part>) {
        constexpr auto member = source_part<Part>::member;
        if constexpr (!is_readable_from_keys<PartitionKey, RowKey, member> &&
                      !is_also_stored<PartitionKey, RowKey, member>)
            check_recoverable<member, is_hashed_part<Part>, is_spread_part<Part>>();
    }
}

/// Only a key with a hash or a bucket has parts to check.
template <auto const& PartitionKey, auto const& RowKey, class... Parts>
constexpr void check_parts_recoverable(key_template<Parts...> const&) {
    if constexpr (((is_hashed_part<Parts> || is_spread_part<Parts>) || ...))
        (..., check_part_recoverable<PartitionKey, RowKey, Parts>());
}

/// Checks both keys of a struct, each for itself and together.
template <auto const& PartitionKey, auto const& RowKey, class Owner> constexpr bool check_keys() {
    check_parts_recoverable<PartitionKey, RowKey>(PartitionKey);
    check_parts_recoverable<PartitionKey, RowKey>(RowKey);
    return check_key_template<PartitionKey, Owner>() && check_key_template<RowKey, Owner>();
}

}  // namespace tablemap::detail
