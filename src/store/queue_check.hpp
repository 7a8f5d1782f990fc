// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/queue_request.hpp"

namespace tablemap::inline v0_1::detail {

/// Refuses requests of queues that the service would refuse for their form alone, with the service's codes.
result<void> check_queue_request(queue_request const& r);

}  // namespace tablemap::detail
