// SPDX-License-Identifier: Apache-2.0
#include "tablemap/query/key_ranges.hpp"

namespace tablemap::inline v0_1::detail {

key_bounds query_keys::partition_bounds(std::size_t at) const noexcept { return key_bounds::exactly(partitions[at]); }

key_bounds query_keys::row_bounds() const noexcept {
    if (rows.one) return key_bounds::exactly(rows.from);
    key_bounds b;
    if (!rows.from.empty()) b.from = rows.from;
    if (rows.to) b.to = *rows.to;
    return b;
}

}  // namespace tablemap::detail
