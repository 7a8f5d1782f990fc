// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/transaction_core.hpp"

#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// Commits a transaction of which some entities have rows in indexes: their entities are read at once, then those rows
/// of unique indexes that are to change or to go, then everything goes in one group under the etags that were read.
/// After a conflict of a write of any version, or if a row of an index was changed meanwhile, all is repeated; so it
/// is, once, after a lost response if all writes are of any version. All is borrowed; the cipher may be null.
///
/// \return etags by position; a failure with the position of the write at fault as `failed_index()`
task<response> commit_indexed(std::string_view table, capabilities const& can, property_cipher const* cipher,
                              std::span<transaction_item> items);

}  // namespace tablemap::detail
