// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

namespace tablemap::inline v0_1::detail {

/// Refuses requests that the Cosmos DB Table API refuses beyond `check_request`: row keys over 255 bytes, entities over
/// 2 MiB, properties with one of its own names (`id`, `ID`, `rid`, `etag`, `ResourceId`), and requests for access
/// policies, properties and statistics of a service, which it does not have.
/// Errors: `service_errc::key_value_too_large`, `entity_too_large`, `property_name_invalid`, in a group transaction
/// with the operation at fault; `library_errc::unsupported`.
result<void> check_for_cosmos(request const& r);

}  // namespace tablemap::detail
