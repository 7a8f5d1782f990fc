// SPDX-License-Identifier: Apache-2.0
#include "rest/tls_host.hpp"

#include <arpa/inet.h>
#include <openssl/x509v3.h>

#include <new>

namespace tablemap::inline v0_1::detail {

bool is_address(std::string const& host) noexcept {
    in6_addr any;  // has room for either kind
    return ::inet_pton(AF_INET, host.c_str(), &any) == 1 || ::inet_pton(AF_INET6, host.c_str(), &any) == 1;
}

void demand_host(X509_VERIFY_PARAM_st* of, std::string const& host) {
    X509_VERIFY_PARAM_set_hostflags(of, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    // Without either anyone's certificate would do.
    auto const set = is_address(host) ? X509_VERIFY_PARAM_set1_ip_asc(of, host.c_str())
                                      : X509_VERIFY_PARAM_set1_host(of, host.data(), host.size());
    if (set != 1) throw std::bad_alloc{};
}

}  // namespace tablemap::detail
