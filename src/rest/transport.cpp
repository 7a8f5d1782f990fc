// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/transport.hpp"

#include "tablemap/store/waiting_receiver.hpp"

#include <algorithm>

namespace tablemap {

http_result transport::call(http_request const& r, call_options const& o) {
    detail::waiting<http_receiver, http_result> receiver;
    send(r, o, receiver);
    return receiver.wait();
}

std::string const* http_response::header(std::string_view name) const noexcept {
    auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    for (auto const& [n, value] : headers)
        if (std::equal(n.begin(), n.end(), name.begin(), name.end(),
                       [&](char a, char b) { return lower(a) == lower(b); }))
            return &value;
    return nullptr;
}

}  // namespace tablemap
