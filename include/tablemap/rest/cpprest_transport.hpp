// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <memory>

namespace tablemap::inline v0_1 {

/// Makes a transport for HTTP through cpprestsdk.
///
/// It differs from a plain client of cpprestsdk: it never sends a write twice, a deadline covers the whole request, at
/// most `transport_options::connections` sockets are open, and a connection that the server closed while it was idle is
/// found before anything is sent on it. Through a proxy to https each request makes a connection of its own.
///
/// \throws error if the options cannot be used: a `ca_file` that holds no certificates, a `proxy` that is no URL of
/// one, or an IPv6 address as the host, which cpprestsdk cannot connect to
/// \par Thread safety
/// cpprestsdk runs its requests on one thread pool per process. The first request starts it with 2 to 4 threads, unless
/// the program has started it before. Receivers are called on these threads, so they must not block.
std::shared_ptr<transport> make_cpprest_transport(http_origin const& origin, transport_options const& options = {});

}  // namespace tablemap
