// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/query/field_path.hpp"
#include "tablemap/query/filter.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

/// Elements of arrays and series: operands of filters, choices of merges, and slices of queries.
namespace tablemap::inline v0_1::detail {
namespace filtering {

/// Both an operand of filters and a choice of merges.
struct element_base : operand_base, choosing::choice_base {};

/// `Path` leads to an array or a series.
template <auto... Path> struct listed {};

/// The index as a number; one beyond every element if the index is negative.
template <class I> constexpr std::size_t to_index(I i) noexcept {
    return std::cmp_less(i, 0) ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(i);
}

template <class I>
concept index = std::integral<I> && !std::same_as<I, bool>;

untyped_condition compare_element(element_list const& list, std::size_t index, comparison_operator op,
                                  result<property_value> const& v);
untyped_condition element_begins_with(element_list const& list, std::size_t index, std::string_view prefix);

/// An element whose number is known at run time.
template <class T, auto First, auto... Rest> struct indexed_operand : element_base {
    using owner = T;
    using path = listed<First, Rest...>;
    template <class> using value = path_value<typename path_start<T, First>::type, storage::numbered, First, Rest...>;

    explicit constexpr indexed_operand(std::size_t i) : index(i) {}

    static constexpr bool check() { return check_path<T, storage::numbered, 0, First, Rest...>(); }
    static constexpr bool is_flag() { return std::is_same_v<value<bool>, bool>; }
    template <class Value> condition<T> operator=(Value const&) const { return refuse_assignment<T, Value>(); }

    late_result<T, filter::expression> compare(comparison_operator op, late_result<T, property_value> const& v) const {
        return compare_element(list_at<T, First, Rest...>(), index, op, v);
    }
    late_result<T, filter::expression> begins_with(std::string_view prefix) const {
        return element_begins_with(list_at<T, First, Rest...>(), index, prefix);
    }

    std::size_t index;
};

/// `element<&T::hours>` without a number: calling it with a number gives the element; it is no operand by itself.
template <class T, auto... Path> struct element_maker : operand_base {
    using owner = T;

    static constexpr bool check() {
        static_assert(sizeof...(Path) == 0,
                      "tablemap[Q2]: element<...> ends in the number of the element: element<&T::hours, 3>, or "
                      "element<&T::hours>(i)");
        return false;
    }
    static constexpr bool is_flag() { return false; }

    template <index I> constexpr indexed_operand<T, Path...> operator()(I i) const {
        return indexed_operand<T, Path...>{to_index(i)};
    }
};

/// The elements [first, last).
template <class T, auto... Path> struct element_range : choosing::choice_base {
    using path = listed<Path...>;

    constexpr element_range(std::size_t from, std::size_t to) : first(from), last(to) {}

    std::size_t first, last;
};

}  // namespace filtering

/// True for a choice of elements; `path` is the member that they are in.
template <class Choice> inline constexpr bool is_element_choice = requires { typename Choice::path; };

template <class Path> struct element_chooser;
template <auto First, auto... Rest> struct element_chooser<filtering::listed<First, Rest...>> {
    static constexpr auto member = First;

    template <class T, std::size_t Element> static constexpr bool check() {
        return check_element_path<T, Element, First, Rest...>();
    }
    template <class T> static constexpr element_list list() { return list_at<T, First, Rest...>(); }
};

template <class T, auto... Path>
struct chooser<filtering::indexed_operand<T, Path...>> : element_chooser<filtering::listed<Path...>> {
    using base = element_chooser<filtering::listed<Path...>>;

    template <class U> static constexpr bool check() { return base::template check<U, 0>(); }
    template <class U> static result<void> choose(filtering::indexed_operand<T, Path...> const& e, chosen_columns& to) {
        return choose_element(row_type_of<U>, base::template list<U>(), e.index, to);
    }
};

template <class T, auto... Path>
struct chooser<filtering::element_range<T, Path...>> : element_chooser<filtering::listed<Path...>> {
    using base = element_chooser<filtering::listed<Path...>>;

    template <class U> static constexpr bool check() { return base::template check<U, 0>(); }
    template <class U> static result<void> choose(filtering::element_range<T, Path...> const& e, chosen_columns& to) {
        return choose_elements(row_type_of<U>, base::template list<U>(), e.first, e.last, to);
    }
};

}  // namespace tablemap::detail
