// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

struct X509_VERIFY_PARAM_st;

namespace tablemap::inline v0_1::detail {

/// Demands a certificate whose alternative names have this host, a name or an address; its common name does not count.
/// Throws `std::bad_alloc`.
void demand_host(X509_VERIFY_PARAM_st* of, std::string const& host);

/// True if it is an address, which no server is asked for by name.
bool is_address(std::string const& host) noexcept;

}  // namespace tablemap::detail
