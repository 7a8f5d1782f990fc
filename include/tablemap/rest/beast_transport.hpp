// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <memory>

namespace tablemap {

/// HTTP through Boost.Beast and Boost.Asio. Throws `tablemap::error` if the options cannot be used: a `ca_file` that holds
/// no certificates, or a `proxy` that is no URL of one.
///
/// A blocking call does all its work on the calling thread. What is sent otherwise is carried by one thread of the
/// transport's own, which the first such request starts; receivers are called on it, so they must not block. A thread
/// more looks up the server's name while a connection to one is made; it may outlive the transport by that look-up.
///
/// A connection that the server closed while it was idle is found before anything is sent on it. A read is sent once more
/// on a new connection if a reused one ends before its answer began; a write only if no byte of it had left.
///
/// After fork(), a child must not use a transport of its parent: the thread is not there, and the connections are
/// shared. It makes its own.
std::shared_ptr<transport> make_beast_transport(http_origin const& origin, transport_options const& options = {});

}  // namespace tablemap
