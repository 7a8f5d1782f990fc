// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/read/query_state.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/mapping/decode.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// True if the keys are those of a T, as far as keys tell.
template <class T> bool are_keys_of(std::string_view partition_key, std::string_view row_key) {
    if constexpr (std::same_as<T, dynamic_entity>) {
        return true;
    } else {
        T holder{};
        for (std::size_t i = 0; i < row_types<T>::list.size(); ++i)
            if (read_keys_into(*row_types<T>::list[i], row_types<T>::emplace(&holder, i), partition_key, row_key))
                return true;
        return false;
    }
}

/// Erases the rows that a query finds: reads their keys page by page, and erases each row under the etag that it read.
/// A row that was changed meanwhile, or is in doubt, is read again, and erased or kept as the condition says then.
/// Entities with rows in indexes are read whole, and those rows erased with them.
///
/// The table is borrowed. `are_keys`: which rows of the query are of the table's type. `indexes`: in which they have
/// rows; null: none.
task<result<erase_report>> erase_rows(table_state const& table, std::shared_ptr<query_description const> query,
                                      bool (*are_keys)(std::string_view, std::string_view), index_set const* indexes,
                                      std::unique_ptr<bulk_options const> options);

}  // namespace tablemap::detail
