// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/rest/token_cache.hpp"
#include "tablemap/rest/transport.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tablemap::inline v0_1::detail {

/// A transport that adds an access token to each request. It fetches the token if there is none, and sends a request
/// that the service refuses with 401 once more with a new one, from then on of the tenant that the service names.
/// `now`: what tokens expire by; must not throw.
std::shared_ptr<transport> make_bearer_transport(std::shared_ptr<transport> inner, std::shared_ptr<token_cache> tokens,
                                                 std::string scope, std::function<ticks()> now);

}  // namespace tablemap::detail
