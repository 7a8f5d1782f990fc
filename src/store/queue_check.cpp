// SPDX-License-Identifier: Apache-2.0
#include "store/queue_check.hpp"

namespace tablemap::inline v0_1::detail {

result<void> check_queue_request(queue_request const&) { return {}; }

}  // namespace tablemap::detail
