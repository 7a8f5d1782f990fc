// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/serve/server.hpp"

namespace tablemap::inline v0_1::detail::serve {

/// Refuses options with which no server can work, and fills in the defaults of those that are empty.
///
/// Errors (thrown): those of the constructor of `server`.
serve_options checked(serve_options o);

/// True if only this machine reaches a server with these options.
bool is_local(serve_options const& o) noexcept;

}  // namespace tablemap::detail::serve
