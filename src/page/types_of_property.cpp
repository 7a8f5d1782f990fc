// SPDX-License-Identifier: Apache-2.0
#include "page/types_of_property.hpp"

#include <algorithm>
#include <functional>

namespace tablemap::inline v0_1::page {

std::vector<type_share> types_of(property_fact const& p) {
    std::vector<type_share> all;
    auto const total = static_cast<double>(p.total());
    for (std::size_t t = 0; t < p.rows.size(); ++t)
        if (p.rows[t] > 0) all.push_back({static_cast<edm_type>(t), p.rows[t], static_cast<double>(p.rows[t]) / total});
    std::ranges::stable_sort(all, std::ranges::greater{}, &type_share::rows);
    return all;
}

std::string_view short_name(edm_type t) {
    auto const name = edm_name(t);
    return name.substr(name.find('.') + 1);
}

}  // namespace tablemap::page
