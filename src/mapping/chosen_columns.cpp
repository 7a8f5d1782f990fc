// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/chosen_columns.hpp"

namespace tablemap::inline v0_1::detail {
namespace {

failure no_element(element_list const& list) {
    auto const member = list.prefix.substr(0, list.prefix.size() - 1);
    return fail(library_errc::invalid_property_name,
                {.reason = "it has the elements 0 to " + std::to_string(list.extent - 1) +
                           ", and what was asked for is none of them; check the index",
                 .member = std::string{member}});
}

std::size_t first_column(row_type const& type, element_list const& list) {
    auto const name = name_element(list, 0);
    std::size_t at = 0;
    while (type.name_of(type.columns[at]) != *name) ++at;
    return at;
}

}  // namespace

result<std::string> name_element(element_list const& list, std::size_t index) {
    if (index >= list.extent) return no_element(list);
    return std::string{list.prefix}.append(element_digits{index, list.form}.view());
}

result<void> choose_element(row_type const& type, element_list const& list, std::size_t index, chosen_columns& to) {
    // Not index + 1, which is 0 for the largest number.
    if (index >= list.extent) return no_element(list);
    if (auto r = choose_elements(type, list, index, index + 1, to); !r) return r;
    to.must_hold.set(first_column(type, list) + index);
    return {};
}

result<void> choose_elements(row_type const& type, element_list const& list, std::size_t first, std::size_t last,
                             chosen_columns& to) {
    if (first >= last || last > list.extent) return no_element(list);
    auto const begin = first_column(type, list);
    for (std::size_t i = 0; i < list.extent; ++i) {
        to.lists.set(begin + i);
        if (i >= first && i < last) to.elements.set(begin + i);
    }
    return {};
}

}  // namespace tablemap::detail
