// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

namespace tablemap::inline v0_1::detail {

template <class... Types> struct type_list { static constexpr std::size_t size = sizeof...(Types); };

// Found by overload resolution, so that all look-ups in a list share what is instantiated.
template <std::size_t I, class Type> struct numbered_type { using type = Type; };

template <class Numbers, class List> struct numbered_types;

template <std::size_t... I, class... Types>
struct numbered_types<std::index_sequence<I...>, type_list<Types...>> : numbered_type<I, Types>... {};

template <std::size_t I, class Type> numbered_type<I, Type> find_type(numbered_type<I, Type> const*);

template <class List> using numbered = numbered_types<std::make_index_sequence<List::size>, List>;

/// Number `I` of the types of `List`.
template <std::size_t I, class List>
using type_at = typename decltype(find_type<I>(static_cast<numbered<List>*>(nullptr)))::type;

}  // namespace tablemap::detail
