// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/pfr/core.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tablemap::detail {

/// Why a type cannot be read as a list of its members.
enum class reflect_fault {
    none,
    union_type,
    not_an_aggregate,
    base_class,
    not_empty_constructible,
    not_assignable,
    c_array,
    too_many_members,
};

// ---- probes: they stand for members in initialisations that are tried but never run ---------------------------------

struct convertible_to_nothing {};

template <class Base, class T>
concept proper_base_of = std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>;

template <class T> struct convertible_to_bases_of { template <proper_base_of<T> Base> operator Base() const; };

// A value, not a reference: it becomes the member without a copy, so no body of a copy constructor is compiled.
struct convertible_to_anything {
    template <class Member> operator Member() const;
};

// One initialiser for each number of a pack.
template <std::size_t> using any_initialiser = convertible_to_anything;

// ---- rules ----------------------------------------------------------------------------------------------------------

template <class T> constexpr bool has_base_class() {
    constexpr bool takes_base = requires { T{convertible_to_bases_of<T>{}}; };
    // A first member that takes any argument whatsoever, such as std::any, takes either probe.
    constexpr bool takes_anything = requires { T{convertible_to_nothing{}}; };
    return takes_base && !takes_anything;
}

template <class T, std::size_t... I> constexpr bool takes_initialisers(std::index_sequence<I...>) {
    return requires { T{any_initialiser<I>{}...}; };
}

template <std::size_t Count> using initialiser_places = std::make_index_sequence<Count>;

// Boost.PFR counts as well, but g++ 12 crashes there on an array of strings, before that can be refused.
template <class T, std::size_t Valid = 0, std::size_t Invalid = 0> constexpr std::size_t count_initialisers() {
    if constexpr (Invalid == Valid + 1) {
        return Valid;
    } else {
        constexpr auto trial = Invalid != 0 ? (Valid + Invalid) / 2 : Valid == 0 ? 4 : Valid * 2;
        if constexpr (takes_initialisers<T>(initialiser_places<trial>{})) {
            return count_initialisers<T, trial, Invalid>();
        } else {
            return count_initialisers<T, Valid, trial>();
        }
    }
}

// A C array takes as many initialisers as it has elements, but only one when that is {}. So it is found where {} in the
// place of one initialiser leaves too many after it. Nothing but {} will do: other braces can enter constructors whose
// bodies do not compile for a probe.

template <class T, std::size_t... Before, std::size_t... After>
constexpr bool has_c_array_at(std::index_sequence<Before...>, std::index_sequence<After...>) {
    if constexpr (requires { T{any_initialiser<Before>{}..., {}, any_initialiser<After>{}...}; }) {
        return false;
    } else {
        // A member without a default constructor refuses {} as well, but even when nothing follows.
        return requires { T{any_initialiser<Before>{}..., {}}; };
    }
}

template <class T, std::size_t... Before, std::size_t... After>
constexpr bool takes_four_braces_at(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return requires { T{any_initialiser<Before>{}..., {}, {}, {}, {}, any_initialiser<After>{}...}; };
}

// Four at once, for the sake of compile time: a struct without arrays takes a quarter of the trials.
template <class T, std::size_t Count, std::size_t At> constexpr bool has_four_members_at() {
    if constexpr (At + 4 <= Count) {
        return takes_four_braces_at<T>(initialiser_places<At>{}, initialiser_places<Count - At - 4>{});
    } else {
        return false;
    }
}

template <class T, std::size_t Count, std::size_t At = 0> constexpr bool has_c_array() {
    if constexpr (At == Count) {
        return false;
    } else if constexpr (has_four_members_at<T, Count, At>()) {
        return has_c_array<T, Count, At + 4>();
    } else if constexpr (has_c_array_at<T>(initialiser_places<At>{}, initialiser_places<Count - At - 1>{})) {
        return true;
    } else {
        return has_c_array<T, Count, At + 1>();
    }
}

/// Whether `Count` members are more than Boost.PFR has an overload for: the one for all other numbers returns void.
template <std::size_t Count> constexpr bool has_too_many_members() {
    if constexpr (Count <= 100) {
        return false;
    } else {
        using stand_in = int[Count];
        using count = boost::pfr::detail::size_t_<Count>;
        return requires {
            requires std::is_void_v<decltype(boost::pfr::detail::tie_as_tuple(std::declval<stand_in&>(), count{}))>;
        };
    }
}

/// The first rule that `T` breaks. Later rules are not evaluated then: they would fail with the compiler's own words.
template <class T> constexpr reflect_fault find_reflect_fault() {
    if constexpr (std::is_union_v<T>) {
        return reflect_fault::union_type;
    } else if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
        return reflect_fault::not_an_aggregate;
    } else if constexpr (has_base_class<T>()) {
        return reflect_fault::base_class;
    } else if constexpr (!requires { T{}; }) {
        return reflect_fault::not_empty_constructible;
    } else if constexpr (!std::is_move_assignable_v<T>) {
        return reflect_fault::not_assignable;
    } else {
        constexpr auto count = count_initialisers<T>();
        if constexpr (has_c_array<T, count>()) {
            return reflect_fault::c_array;
        } else if constexpr (has_too_many_members<count>()) {
            return reflect_fault::too_many_members;
        } else {
            return reflect_fault::none;
        }
    }
}

template <class T> inline constexpr reflect_fault reflect_fault_of = find_reflect_fault<T>();

/// A type whose members can be listed, as far as that can be known without an error.
template <class T>
concept reflectable = (reflect_fault_of<T> == reflect_fault::none);

/// Refuses, with the rule and the remedy, a type whose members cannot be listed. Answers true for the others.
template <class T> constexpr bool check_reflectable() {
    constexpr auto fault = reflect_fault_of<T>;
    static_assert(fault != reflect_fault::union_type,
                  "tablemap[M1]: a union cannot be mapped, because it does not say which member it holds; "
                  "use a struct with std::optional members");
    static_assert(
        fault != reflect_fault::not_an_aggregate,
        "tablemap[M1]: a mapped type must be an aggregate: a struct without private members, constructors and "
        "virtual functions; remove them, or map a plain struct and convert to and from it");
    static_assert(
        fault != reflect_fault::base_class,
        "tablemap[M1]: a mapped struct must have no base class; make the base a member, or repeat its members");
    static_assert(
        fault != reflect_fault::not_empty_constructible,
        "tablemap[M1]: a mapped struct must be constructible from {}, which a reference, a const member, or a "
        "member without default constructor prevents; hold a value, or give the member a default initialiser");
    static_assert(
        fault != reflect_fault::not_assignable,
        "tablemap[M1]: a mapped struct must be move-assignable, which a const member, a reference, or a member "
        "such as a mutex prevents; hold a plain value that can be assigned");
    static_assert(fault != reflect_fault::c_array,
                  "tablemap[M1]: a mapped struct must have no C array as a member; use std::array, std::string or "
                  "std::vector");
    static_assert(fault != reflect_fault::too_many_members,
                  "tablemap[M1]: a mapped struct has more members than Boost.PFR can read (100, or 200 from Boost 1.87 "
                  "on); group members into nested structs");
    return fault == reflect_fault::none;
}

}  // namespace tablemap::detail
