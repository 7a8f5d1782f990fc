// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

namespace tablemap::detail {

/// Refuses what the Cosmos DB Table API refuses beside what `check_request` does: row keys over 255 bytes, entities over 2 MiB,
/// properties with one of its own names (`id`, `ID`, `rid`, `etag`, `ResourceId`), and what it does not have: access policies,
/// properties and statistics of a service.
/// Errors: `service_errc::key_value_too_large`, `entity_too_large`, `property_name_invalid`, in a group transaction with the
/// operation at fault; `library_errc::unsupported`.
result<void> check_for_cosmos(request const& r);

}  // namespace tablemap::detail
