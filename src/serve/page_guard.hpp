// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"

#include <string_view>

/// Protection of a server that only this machine reaches from the web pages in its browsers.
namespace tablemap::inline v0_1::detail::serve {

/// True for a Host header that no stranger can let point elsewhere: localhost, a name below it, 127.… or [::1], with
/// or without a port.
bool names_this_machine(std::string_view host) noexcept;

/// Refuses a request whose Host header does not name this machine: it comes from a page whose site lets its own name
/// point here, so that its browser takes the server for a part of the site.
void check_host(http_request const& r);

/// True for a request of a page that did not come from this server.
bool is_of_other_site(incoming const& in);

}  // namespace tablemap::detail::serve
