// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/large_names.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

error blob_is_gone();

/// Reads the values that members of an entity lack.
///
/// \return false if a blob is gone
task<result<bool>> load_values(large_state const& table, entity_key const& key, std::vector<large_part> const& parts);

/// The mark of a large member that was read from, or written to, a version of an entity. A copy of it in another
/// member, or for another container, is of another origin: no row names its blob there.
std::string origin_of(large_state const& table, entity_key const& key, etag const& version, std::string_view property);

}  // namespace tablemap::detail
