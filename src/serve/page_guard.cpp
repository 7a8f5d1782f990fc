// SPDX-License-Identifier: Apache-2.0
#include "serve/page_guard.hpp"

#include "base/ascii.hpp"
#include "serve/refused.hpp"

#include <string>

namespace tablemap::inline v0_1::detail::serve {
namespace {

/// The name of a Host header, without its port.
std::string_view name_of_host(std::string_view host) noexcept {
    auto const colon = host.rfind(':');
    bool const is_port = colon != host.npos && host.find(']', colon) == host.npos;
    return is_port ? host.substr(0, colon) : host;
}

/// `127.0.0.1`, and not a name such as `127.example.com`.
bool is_loopback_number(std::string_view name) noexcept {
    return name.starts_with("127.") && name.find_first_not_of("0123456789.") == name.npos;
}

/// `localhost`, and `account.localhost` (RFC 6761, section 6.3).
bool is_localhost(std::string_view name) noexcept {
    constexpr std::string_view top = "localhost";
    if (name.size() < top.size() || !equal_ignoring_case(name.substr(name.size() - top.size()), top)) return false;
    return name.size() == top.size() || name[name.size() - top.size() - 1] == '.';
}

}  // namespace

bool names_this_machine(std::string_view host) noexcept {
    auto const name = name_of_host(host);
    return name == "[::1]" || is_localhost(name) || is_loopback_number(name);
}

void check_host(http_request const& r) {
    if (names_this_machine(header_of(r, "Host").value_or(std::string_view{}))) return;
    refuse_authorization("AuthorizationFailure",
                         "the server listens on its own machine alone, and the header Host names another one: use "
                         "localhost, 127.0.0.1 or [::1].");
}

bool is_of_other_site(incoming const& in) {
    if (auto const site = header_of(in.message, "Sec-Fetch-Site")) return *site != "none" && *site != "same-origin";
    auto const origin = header_of(in.message, "Origin");
    auto const host = header_of(in.message, "Host").value_or(std::string_view{});
    return origin && *origin != (in.encrypted ? "https://" : "http://") + std::string{host};
}

}  // namespace tablemap::detail::serve
