// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/projection.hpp"

#include "tablemap/edm/names.hpp"

namespace tablemap::detail {

std::vector<std::string> columns_of(row_type const& type, field_set const& fields) {
    std::vector<std::string> names;
    for (auto const& c : type.columns) {
        bool const tells_type = c.field == no_field && type.name_of(c) == type.discriminator.property;
        if (c.read ? c.field != no_field && fields.test(c.field) : tells_type) names.emplace_back(type.name_of(c));
    }
    if (names.empty()) names.emplace_back(partition_key_name);
    return names;
}

}  // namespace tablemap::detail
