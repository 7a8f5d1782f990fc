// SPDX-License-Identifier: Apache-2.0
#include "rest/queue_protocol.hpp"

#include "rest/request_builder.hpp"

namespace tablemap::inline v0_1::detail {

result<http_request> build_queue_request(queue_request const&, message_frame const&) {
    return fail(library_errc::unsupported);
}

bool is_success_of_queue(queue_request const&, int) noexcept { return false; }

response read_queue_response(queue_request const&, http_response&&) { return {}; }

}  // namespace tablemap::detail
