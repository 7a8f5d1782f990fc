// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/request.hpp"

/// The checks that every store makes before it looks at its data.
namespace tablemap::inline v0_1 {

/// Refuses requests that the service would refuse for their form alone, with the service's codes, so that every store
/// answers alike: names of tables, keys, bounds, conditions, page sizes, the rules of a transaction, access policies
/// and service properties. `read_body` checks the limits of properties and entities.
///
/// \return nothing, or error `service_errc::invalid_resource_name`, `invalid_input`, `key_value_too_large`,
/// `out_of_range_input`, `request_body_too_large`, `commands_in_batch_act_on_different_partitions`,
/// `invalid_duplicate_row`; in a transaction with the operation at fault where there is one
result<void> check_request(request const& r);

/// Refuses a call that was stopped, or whose deadline has passed on its clock.
///
/// \return nothing, or error `library_errc::cancelled`, `deadline_exceeded`
result<void> check_call(call_options const& o);

}  // namespace tablemap
