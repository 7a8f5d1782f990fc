// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail::serve {

/// The requests inside a request to `$batch`. Their targets are as they came, mostly whole URLs.
struct batch_request {
    std::vector<http_request> operations{};
    bool is_query = false;  ///< one query, which stands in the batch itself and in no change set
};

/// Reads a batch: one change set of 1 to 100 operations, or one query. Lines may end in LF or CRLF.
///
/// Refuses any other body, with the operation at fault where one is malformed.
batch_request read_batch_request(std::string_view content_type, std::string_view body);

}  // namespace tablemap::detail::serve
