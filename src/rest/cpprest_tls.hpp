// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/cpprest_watch.hpp"

#include <memory>
#include <string>

struct ssl_ctx_st;

namespace tablemap::inline v0_1::detail {

/// Makes a context of cpprestsdk demand a certificate of this host, and count what its connections read.
void watch_tls(ssl_ctx_st* context, std::string const& host, std::shared_ptr<cpprest_watch> watch);

}  // namespace tablemap::detail
