// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/mapping/index_rows.hpp"

#include "tablemap/detail/keys/text.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

bool is_key_of_index(static_list<row_type const*> types, std::string_view row_key) noexcept {
    return std::any_of(types.begin(), types.end(), [&](row_type const* t) {
        return std::any_of(t->index_prefixes.begin(), t->index_prefixes.end(),
                           [&](std::string_view prefix) { return row_key.starts_with(prefix); });
    });
}

encoded_entity& append_row(std::vector<index_row>& rows, std::size_t index) {
    return rows.emplace_back(index_row{index}).entity;
}

result<void> settle_row(index_row& row, result<void> encoded, row_use use, std::string_view index) {
    if (encoded) return {};
    if (use != row_use::compare) return failure{in_index(encoded.error(), index)};
    row.entity.body.clear();
    row.outdated = true;
    return {};
}

result<void> append_owner(std::string& row_key, entity_key const& owner) {
    append_escaped(row_key, owner.partition_key);
    row_key += " !_";
    row_key += owner.row_key;
    return check_key(row_key);
}

error in_index(error const& e, std::string_view index) {
    auto d = e.details();
    std::string where{"in the row of the index "};
    where += index;
    d.reason = d.reason.empty() ? std::move(where) : where + ": " + d.reason;
    return error{e.code(), std::move(d)};
}

}  // namespace tablemap::detail
