// SPDX-License-Identifier: Apache-2.0
#include "rest/blob_protocol.hpp"

#include "rest/request_builder.hpp"

namespace tablemap::inline v0_1::detail {

result<http_request> build_blob_request(blob_request const&, message_frame const&) {
    return fail(library_errc::unsupported);
}

bool is_success_of_blob(blob_request const&, int) noexcept { return false; }

response read_blob_response(blob_request const&, http_response&&) { return {}; }

}  // namespace tablemap::detail
