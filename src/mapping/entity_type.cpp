// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/entity_type.hpp"

namespace tablemap::detail {

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
    // Every version, later ones too: a row that this program cannot read yet is an error, not absent.
    return std::move(first) || (is(comparison_operator::ge, name + "_v0") && is(comparison_operator::lt, name + "_v:"));
}

}  // namespace tablemap::detail
