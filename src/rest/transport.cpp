// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "base/ascii.hpp"
#include "store/waiting_receiver.hpp"

namespace tablemap::inline v0_1 {

http_result transport::call(http_request const& r, call_options const& o) {
    detail::waiting<http_receiver, http_result> receiver;
    send(r, o, receiver);
    return receiver.wait();
}

std::string const* http_response::header(std::string_view name) const noexcept {
    for (auto const& [n, value] : headers)
        if (detail::equal_ignoring_case(n, name)) return &value;
    return nullptr;
}

}  // namespace tablemap
