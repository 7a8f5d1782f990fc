// SPDX-License-Identifier: Apache-2.0
#include "serve/response_head.hpp"

#include "base/ascii.hpp"
#include "serve/statuses.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tablemap::inline v0_1::detail::serve {
namespace {

constexpr std::size_t usual_size = 1024;

void append_header(std::string& out, std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
}

/// True for a header that says where a response ends, or whether the connection does. The server alone knows.
bool is_of_connection(std::string_view name) {
    constexpr std::array<std::string_view, 3> own{"Connection", "Content-Length", "Transfer-Encoding"};
    return std::any_of(own.begin(), own.end(), [&](auto n) { return equal_ignoring_case(n, name); });
}

}  // namespace

std::string head_of(http_response const& r, bool is_last) {
    std::string out;
    out.reserve(usual_size);
    out.append("HTTP/1.1 ").append(std::to_string(r.status)).append(" ").append(reason_of(r.status)).append("\r\n");
    for (auto const& [name, value] : r.headers)
        if (!is_of_connection(name)) append_header(out, name, value);
    if (is_last) append_header(out, "Connection", "close");
    // RFC 9110, section 8.6: a response of this status has no length.
    if (r.status != 204) append_header(out, "Content-Length", std::to_string(r.body.size()));
    return out.append("\r\n");
}

}  // namespace tablemap::detail::serve
