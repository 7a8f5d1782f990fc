// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/keys/row_bounds.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Selections of rows by the leading members of their row key. Their row keys are made where T is known.
namespace tablemap::inline v0_1 {
namespace detail {

/// Values of leading members, and the condition on the next one.
template <selection_kind Kind, class... Values> struct selection {
    static constexpr selection_kind kind = Kind;
    static constexpr std::size_t size = sizeof...(Values);
    static constexpr std::size_t operands = Kind == selection_kind::whole ? 0 : Kind == selection_kind::prefix ? 1 : 2;
    static constexpr std::size_t leading = size - operands;
    template <std::size_t I> using value = std::tuple_element_t<I, std::tuple<Values...>>;

    std::tuple<Values...> values;
};

template <selection_kind Kind, class... Values, class... More>
auto extend(std::tuple<Values...> const& values, More&&... more) {
    return selection<Kind, Values..., std::decay_t<More>...>{
        std::tuple_cat(values, std::tuple<std::decay_t<More>...>{std::forward<More>(more)...})};
}

template <std::size_t Count, class Tuple> auto first_of(Tuple const& t) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tie(std::get<I>(t)...); }
    (std::make_index_sequence<Count>{});
}

template <class S> inline constexpr bool is_selection = false;
template <selection_kind Kind, class... Values> inline constexpr bool is_selection<selection<Kind, Values...>> = true;

}  // namespace detail

/// Rows whose row key begins with these values. Made by `leading(…)`; its functions narrow the member that follows.
template <class... Values> struct leading_values : detail::selection<detail::selection_kind::whole, Values...> {
    /// The rows whose next member lies in [from, to), in the order of values.
    template <class From, class To> auto range(From&& from, To&& to) const {
        return detail::extend<detail::selection_kind::range>(this->values, std::forward<From>(from),
                                                             std::forward<To>(to));
    }

    /// The rows whose next member lies in [from, to], in the order of values.
    template <class From, class To> auto between(From&& from, To&& to) const {
        return detail::extend<detail::selection_kind::between>(this->values, std::forward<From>(from),
                                                               std::forward<To>(to));
    }

    /// The rows whose next member, which is text, begins with `text`.
    template <class Text> auto starting_with(Text&& text) const {
        return detail::extend<detail::selection_kind::prefix>(this->values, std::forward<Text>(text));
    }
};

namespace detail {
template <class... Values> inline constexpr bool is_selection<leading_values<Values...>> = true;
}

/// A selection of the rows of a partition: `leading(…)`, `row_range(…)`, `row_between(…)`, `starting_with(…)`.
template <class S>
concept row_selection = detail::is_selection<S>;

/// The rows whose row key's leading members have these values: `leading("2024", 7)`, `leading("2024").range(1, 5)`.
template <class... Values> auto leading(Values&&... values) {
    return leading_values<std::decay_t<Values>...>{{{std::forward<Values>(values)...}}};
}

/// The rows whose row key's first member lies in [from, to), in the order of values. That member must sort in keys by
/// its values, ascending or descending; bounds beyond a declared width or range stand below or above all rows.
template <class From, class To> auto row_range(From&& from, To&& to) {
    return leading().range(std::forward<From>(from), std::forward<To>(to));
}

/// The rows whose row key's first member lies in [from, to], in the order of values. Otherwise as `row_range`.
template <class From, class To> auto row_between(From&& from, To&& to) {
    return leading().between(std::forward<From>(from), std::forward<To>(to));
}

/// The rows whose first member, which is text, begins with `text`.
template <class Text> auto starting_with(Text&& text) { return leading().starting_with(std::forward<Text>(text)); }

/// The rows whose leading members have these values whole, except the last, which is text that begins with the last
/// value.
template <class First, class Second, class... More> auto starting_with(First&& first, Second&& second, More&&... more) {
    using values = std::tuple<std::decay_t<First>, std::decay_t<Second>, std::decay_t<More>...>;
    return detail::selection<detail::selection_kind::prefix, std::decay_t<First>, std::decay_t<Second>,
                             std::decay_t<More>...>{
        values{std::forward<First>(first), std::forward<Second>(second), std::forward<More>(more)...}};
}

}  // namespace tablemap
