// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/projection.hpp"

#include "tablemap/edm/names.hpp"

namespace tablemap::detail {

std::vector<std::string> columns_of(row_type const& type, chosen_columns const& chosen) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type.columns.size(); ++i) {
        auto const& c = type.columns[i];
        bool const tells_type = c.field == no_field && type.name_of(c) == type.discriminator.property;
        bool const wanted =
            c.field != no_field && chosen.fields.test(c.field) && (!chosen.lists.test(i) || chosen.elements.test(i));
        if (c.read ? wanted : tells_type) names.emplace_back(type.name_of(c));
    }
    if (names.empty()) names.emplace_back(partition_key_name);
    return names;
}

}  // namespace tablemap::detail
