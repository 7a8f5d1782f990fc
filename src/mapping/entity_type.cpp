// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/entity_type.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

std::optional<filter::expression> type_filter(row_type const& type) {
    using filter::comparison;
    using filter::comparison_operator;
    auto const& d = type.discriminator;
    if (d.property.empty()) return std::nullopt;
    auto const is = [&](comparison_operator op, std::string text) {
        return filter::expression{comparison{std::string{d.property}, op, std::move(text)}};
    };
    std::string const name{d.type};
    auto first = is(comparison_operator::eq, name);
    if (type.version == 1) return first;
    // Every version, including later ones: a row that this program cannot read yet is an error, not absent.
    return std::move(first) || (is(comparison_operator::ge, name + "_v0") && is(comparison_operator::lt, name + "_v:"));
}

std::string_view tag_of(static_list<row_type const*> types) noexcept {
    return types.size() > 1 ? types.front()->discriminator.property : std::string_view{};
}

bool is_row_of(static_list<row_type const*> types, std::string_view partition_key, std::string_view row_key,
               std::string_view tag) {
    auto const has_tag = [&](row_type const* t) {
        auto const version = version_in(tag, t->discriminator.type);
        return version == 1 || (version > 1 && t->version > 1);
    };
    auto const has_keys = [&](row_type const* t) {
        return has_literals(t->partition_parts, partition_key) && has_literals(t->row_parts, row_key);
    };
    if (!tag_of(types).empty()) return std::any_of(types.begin(), types.end(), has_tag);
    bool const store_tells = !types.empty() && !types.front()->discriminator.property.empty();
    return types.empty() || store_tells || std::any_of(types.begin(), types.end(), has_keys);
}

}  // namespace tablemap::detail
