// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

namespace tablemap::detail {

/// Refuses what the service would refuse for its form alone, with the service's codes, so that nothing illegal is
/// sent and every store answers alike: table names, keys, conditions, page sizes, the rules of a group transaction.
/// Limits of properties and entities are left to the mapping and the service.
///
/// Errors: `service_errc::invalid_resource_name`, `invalid_input`, `key_value_too_large`, `out_of_range_input`,
/// `request_body_too_large`, `commands_in_batch_act_on_different_partitions`, `invalid_duplicate_row`; in a group
/// transaction with the operation at fault where there is one.
result<void> check_request(request const& r);

}  // namespace tablemap::detail
