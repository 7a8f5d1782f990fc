// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/patterns/large_collection.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/blob_properties.hpp"
#include "tablemap/store/response.hpp"

#include <optional>

namespace tablemap::inline v0_1::detail {

/// The state in which a blob or a permit was found or left.
enum class looked : std::uint8_t { in_use, young, changed, stranger, gone, deleted };

/// The outcome for one of them; the permits that were erased on the way.
struct large_finding {
    looked what{};
    std::size_t permits = 0;
    std::optional<error> fault{};
};

/// Looks at a blob and deletes it if no row can name it any more:
///
///     1. the permit is looked for. Without one, no row will name the blob that does not name it now
///     2. the row is looked at. If it names the blob, that stays
///     3. a permit that is old is erased under its etag, and the row is looked at again: its writer may have committed
///     4. the blob is deleted under its etag
///
/// The order of 1 and 2 matters: a writer that commits in between names the blob in the row that is looked at. All is
/// borrowed.
task<large_finding> look_at_blob(large_collection const& c, blob_properties const& blob, ticks old_before);

/// The time of a permit: its timestamp, or that of its writer's clock if the timestamp is in the future. An embedded
/// file keeps the time of a clock that was once ahead.
ticks time_of_permit(large_collection const& c, stored_entity const& permit);

/// Erases a permit under its etag: its writer can not commit from then on.
task<large_finding> erase_permit(large_collection const& c, entity_key const& key, etag const& version);

}  // namespace tablemap::detail
