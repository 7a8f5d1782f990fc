// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/blob_request.hpp"

namespace tablemap::inline v0_1::detail {

/// Refuses requests of blobs that the service would refuse for their form alone, with the service's codes.
result<void> check_blob_request(blob_request const& r);

}  // namespace tablemap::detail
