// SPDX-License-Identifier: Apache-2.0
#include "store/blob_check.hpp"

namespace tablemap::inline v0_1::detail {

result<void> check_blob_request(blob_request const&) { return {}; }

}  // namespace tablemap::detail
