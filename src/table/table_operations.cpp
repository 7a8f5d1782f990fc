// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/table/table_operations.hpp"

#include <algorithm>
#include <iterator>

namespace tablemap::inline v0_1::detail {

void add_partitions(query_keys& all, query_keys&& one) {
    std::move(one.partitions.begin(), one.partitions.end(), std::back_inserter(all.partitions));
}

void sort_partitions(query_keys& all) {
    std::sort(all.partitions.begin(), all.partitions.end());
    all.partitions.erase(std::unique(all.partitions.begin(), all.partitions.end()), all.partitions.end());
    all.nothing = all.partitions.empty();
}

}  // namespace tablemap::detail
