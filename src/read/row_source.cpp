// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/read/row_source.hpp"

#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

std::optional<filter::expression> row_source::type_filter() const {
    return types.size() == 1 ? detail::type_filter(*types.front()) : std::nullopt;
}

bool row_source::passes_rows() const noexcept {
    return any_key &&
           std::any_of(types.begin(), types.end(), [](row_type const* t) { return !t->index_prefixes.empty(); });
}

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

bool holds_property(row_type const& type, field_set const& fields, std::string_view property) {
    if (is_system_name(property)) return true;
    for (auto const& c : type.columns)
        if (type.name_of(c) == property) return c.field == no_field || fields.test(c.field);
    if (auto const* const map = type.map_of(property)) return fields.test(map->field);
    return type.extras_slot != 0 && fields.test(type.extras_field);
}

std::string_view name_of_first(row_type const& type, field_set const& fields) {
    auto const at = std::find_if(type.columns.begin(), type.columns.end(),
                                 [&](column const& c) { return c.field != no_field && fields.test(c.field); });
    return at == type.columns.end() ? std::string_view{} : type.name_of(*at);
}

}  // namespace tablemap::detail
