// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/row_type.hpp"

#include <cstddef>
#include <string>
#include <string_view>

/// The columns of a caller's choice of members.
namespace tablemap::inline v0_1::detail {

/// Chosen columns, without those that the mapping adds.
struct chosen_columns {
    field_set fields{};      ///< all columns of these members
    column_set elements{};   ///< single elements of arrays and series
    column_set must_hold{};  ///< the elements that must not be empty: they were named one by one
    column_set lists{};      ///< all columns of the arrays and series that elements were chosen of

    bool has(std::size_t at, column const& c) const {
        return c.field == no_field || fields.test(c.field) || elements.test(at);
    }
};

/// The columns of an array or a series.
struct element_list {
    std::string_view prefix;  ///< the beginning of their names: `hours_`
    std::size_t extent;
    storage form;
};

/// The name of an element's column. Errors: `library_errc::invalid_property_name` beyond the last one.
result<std::string> name_element(element_list const& list, std::size_t index);

/// Adds an element. Errors: as `name_element`.
result<void> choose_element(row_type const& type, element_list const& list, std::size_t index, chosen_columns& to);

/// Adds the elements [first, last). Errors: as `name_element`, also if the range is empty.
result<void> choose_elements(row_type const& type, element_list const& list, std::size_t first, std::size_t last,
                             chosen_columns& to);

/// The chooser of a choice for a T: `check<T>()`, which refuses at compile time members that cannot be chosen, and
/// `choose<T>(choice, columns)`.
template <class Choice> struct chooser;

template <class A, class B> struct chooser<choosing::joined<A, B>> {
    template <class T> static constexpr bool check() {
        return chooser<A>::template check<T>() && chooser<B>::template check<T>();
    }
    template <class T> static result<void> choose(choosing::joined<A, B> const& both, chosen_columns& to) {
        if (auto r = chooser<A>::template choose<T>(both.first, to); !r) return r;
        return chooser<B>::template choose<T>(both.second, to);
    }
};

}  // namespace tablemap::detail
