// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <memory>

namespace tablemap::inline v0_1 {

/// Makes a transport for HTTP through Boost.Beast and Boost.Asio.
///
/// A connection that the server closed while it was idle is found before anything is sent on it. A read is sent once
/// more on a new connection if a reused one ends before its response began; a write only if no byte of it had left.
///
/// \throws error if the options cannot be used: a `ca_file` that holds no certificates, a `proxy` that is no URL of
/// one, or an origin that is no scheme, host and port
/// \par Thread safety
/// A blocking call does all its work on the calling thread. One thread of the transport carries all other requests; the
/// first of them starts it. Receivers are called on that thread, so they must not block. Another thread looks up the
/// server's name while a connection is made; it may outlive the transport by that look-up.
/// \par Lifetime
/// After fork(), a child must not use a transport of its parent: the thread is not there, and the connections are
/// shared. It makes its own. Its copy may be destroyed, which leaves the parent's alone and completes nothing.
/// A child that has nothing else to do ends by _exit() or exec(), so that no other copies of the parent's objects are
/// destroyed.
/// At the end of the program transports over TLS close before OpenSSL does, whatever static object holds them; later
/// requests fail with `library_errc::cancelled`.
std::shared_ptr<transport> make_beast_transport(http_origin const& origin, transport_options const& options = {});

}  // namespace tablemap
