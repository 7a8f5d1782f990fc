// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/keys/key.hpp"
#include "tablemap/mapping/discriminator.hpp"
#include "tablemap/mapping/members.hpp"

#include <concepts>

namespace tablemap::inline v0_1 {

/// The stored form of a struct. Specialise it, at namespace scope of `tablemap`, with two constants:
///
///     template <> struct tablemap::mapping<employee> {
///         static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
///         static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
///     };
///
/// Members in a key are stored in the key alone and read back from it. Every other member is a property of its own
/// name. A member whose property is absent in the store keeps its default initialiser; a `std::optional` member shows
/// that the property is absent.
///
/// It may have more constants: `members` (see `members.hpp`), `discriminator` and `versions` (see `discriminator.hpp`),
/// and `unknown_columns`. The mapping of a struct that is only nested in others has no keys.
template <class T> struct mapping;

/// A struct with a mapping.
template <class T>
concept mapped = requires {
    mapping<T>::partition_key;
    mapping<T>::row_key;
};

namespace detail::choosing {

/// A choice of the members that a merge sends. The operator is in this namespace so that it is looked up for choices
/// only.
struct choice_base {};

template <class C>
concept choice = std::derived_from<C, choice_base>;

template <choice A, choice B> struct joined : choice_base {
    constexpr joined(A const& a, B const& b) : first(a), second(b) {}

    A first;
    B second;
};

/// Joins two choices: `only<&day_stats::total> | element<&day_stats::messages>(9)`.
template <choice A, choice B> constexpr joined<A, B> operator|(A const& a, B const& b) { return {a, b}; }

}  // namespace detail::choosing

/// Chosen members for a merge: `only<&employee::age, &employee::email>`. Elements of series are chosen by `element` and
/// `elements` (see `query/field.hpp`), and choices are joined by `|`.
template <auto... Members> struct only_t : detail::choosing::choice_base {};
template <auto... Members> inline constexpr only_t<Members...> only{};

}  // namespace tablemap
