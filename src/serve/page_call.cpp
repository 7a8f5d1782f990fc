// SPDX-License-Identifier: Apache-2.0
#include "serve/page_call.hpp"

#include "base/ascii.hpp"

#include <string_view>

namespace tablemap::inline v0_1::detail::serve {
namespace {

/// The name of a Host header, without its port.
std::string_view name_of_host(std::string_view host) {
    auto const colon = host.rfind(':');
    bool const is_port = colon != host.npos && host.find(']', colon) == host.npos;
    return is_port ? host.substr(0, colon) : host;
}

/// `127.0.0.1`, and not a name such as `127.example.com`.
bool is_loopback_number(std::string_view name) {
    return name.starts_with("127.") && name.find_first_not_of("0123456789.") == name.npos;
}

bool is_own_name(std::string_view name) {
    return equal_ignoring_case(name, "localhost") || name == "[::1]" || is_loopback_number(name);
}

bool names_a_page(std::string_view target) {
    auto const path = target.substr(0, target.find('?'));
    return path == "/" || path.starts_with("/-/");
}

}  // namespace

bool is_for_pages(incoming const& in) noexcept {
    auto const& r = in.message;
    if ((r.method != "GET" && r.method != "HEAD") || !names_a_page(r.target)) return false;
    auto const site = header_of(r, "Sec-Fetch-Site");
    if (site && *site != "none" && *site != "same-origin") return false;
    auto const host = header_of(r, "Host");
    return host && is_own_name(name_of_host(*host));
}

void append_page_headers(http_response& answer) {
    for (auto const& [name, value] :
         {std::pair{"Cache-Control", "no-store"}, std::pair{"X-Content-Type-Options", "nosniff"},
          std::pair{"X-Frame-Options", "DENY"}, std::pair{"Referrer-Policy", "no-referrer"},
          std::pair{"Cross-Origin-Resource-Policy", "same-origin"}})
        answer.headers.emplace_back(name, value);
}

}  // namespace tablemap::detail::serve
