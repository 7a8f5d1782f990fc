// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"

#include <span>

namespace tablemap::inline v0_1::detail {

/// Checks the If-Match of a write: a weak entity tag or `*` for a replace, merge or erase, none for the others.
/// Errors: `service_errc::invalid_input`.
result<void> check_condition(write_operation const& o);

/// Checks the operations of a group transaction against each other: their number, size, partition, and rows.
/// Errors: `service_errc::invalid_input`, `request_body_too_large`; with the operation at fault,
/// `commands_in_batch_act_on_different_partitions`, `invalid_duplicate_row`.
result<void> check_group(std::span<write_operation const> operations);

}  // namespace tablemap::detail
