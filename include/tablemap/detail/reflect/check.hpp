// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/detail/reflect/aggregate.hpp>

namespace tablemap::inline v0_1::detail {

/// The rule that `T` breaks.
template <class T> inline constexpr reflect_fault reflect_fault_of = struct_access<T>::fault();

/// A type whose members can be listed, as far as this can be known without an error.
template <class T>
concept reflectable = (reflect_fault_of<T> == reflect_fault::none);

/// Refuses, with the rule and the remedy, a type whose members cannot be listed. True for the others.
template <class T> constexpr bool check_reflectable() {
    constexpr auto fault = reflect_fault_of<T>;
    static_assert(fault != reflect_fault::union_type,
                  "tablemap[M1]: a union cannot be mapped, because it does not say which member it holds; "
                  "use a struct with std::optional members");
    static_assert(
        fault != reflect_fault::not_an_aggregate,
        "tablemap[M1]: a mapped type must be an aggregate, a struct without private members, constructors and virtual "
        "functions, or else be adapted; list its members with BOOST_HANA_ADAPT_STRUCT and include "
        "<tablemap/adapted.hpp> before its mapping");
    static_assert(
        fault != reflect_fault::base_class,
        "tablemap[M1]: a mapped struct must have no base class; make the base a member, or repeat its members, or list "
        "all members with BOOST_HANA_ADAPT_STRUCT and include <tablemap/adapted.hpp> before its mapping");
    static_assert(
        fault != reflect_fault::not_empty_constructible,
        "tablemap[M1]: a mapped struct must be constructible from {}, which a reference, a const member, or a "
        "member without default constructor prevents; hold a value, or give the member a default initialiser");
    static_assert(fault != reflect_fault::not_default_constructible,
                  "tablemap[M1]: an adapted class must have a public default constructor and not be abstract; add the "
                  "constructor, or map the concrete classes");
    static_assert(
        fault != reflect_fault::not_a_data_member,
        "tablemap[M1]: BOOST_HANA_ADAPT_STRUCT and BOOST_HANA_DEFINE_STRUCT must list data members of a mapped class; "
        "take functions, static members and accessors out of the list");
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
    static_assert(
        fault != reflect_fault::bit_field,
        "tablemap[M1]: a mapped struct must have no bit-field as a member, since nothing points to one; use a "
        "whole number of the same type, or bool");
    return fault == reflect_fault::none;
}

}  // namespace tablemap::detail
