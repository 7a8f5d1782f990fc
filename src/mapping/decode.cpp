// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/decode.hpp"

namespace tablemap::inline v0_1::detail {

void* emplace_nothing(void* value, std::size_t) noexcept { return value; }

void add_bad_row(std::vector<bad_row_at>& to, std::size_t before, std::string_view partition_key,
                 std::string_view row_key, error const& e) {
    to.push_back({before, {std::string{partition_key}, std::string{row_key}, e}});
}

}  // namespace tablemap::detail
