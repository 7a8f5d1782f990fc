// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/index_rows.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/index_audit/row_rewrite.hpp"
#include "tablemap/mapping/property_cipher.hpp"

#include <string_view>

namespace tablemap::inline v0_1 {

using migration_report = rewrite_report;
using migration_options = rewrite_options;

namespace detail {

/// Makes rows of older versions of a type rows of the current one, and with each its rows in indexes. Columns that the
/// type does not know stay. `check` says whether an upgraded row can be read. The indexes and the cipher may be null;
/// all but the options is borrowed.
///
/// Run again after an interruption it goes on where it ended, because it asks the store for rows of older versions
/// only.
task<result<rewrite_report>> migrate_rows(std::string_view table, row_type const& type,
                                          result<void> (*check)(dynamic_entity const&), index_set const* indexes,
                                          property_cipher const* cipher, migration_options options);

}  // namespace detail
}  // namespace tablemap
