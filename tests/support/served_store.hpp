// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/serve/server.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

/// A server of this process, over a store in memory.
namespace tablemap::test {

/// An account that only tests have, with its key.
inline constexpr std::string_view served_account = "served1";
inline std::string served_key() {
    constexpr std::string_view secret = "of tests alone, and known to everybody who reads them";
    std::string text;
    detail::append_base64(text, std::as_bytes(std::span{secret.data(), secret.size()}));
    return text;
}

inline store_ptr store_in_memory() { return value_or_throw(open_embedded({.path = ":memory:"})); }

inline serve_options served_options() {
    serve_options o;
    o.account = served_account;
    o.key = account_key{served_key()};
    return o;
}

/// The connection string that opens the server's store as that of an account.
inline std::string connection_string_of(server const& s) {
    auto const url = s.url();
    return "DefaultEndpointsProtocol=" + url.substr(0, url.find(':')) + ";AccountName=" + std::string{served_account} +
           ";AccountKey=" + served_key() + ";TableEndpoint=" + url;
}

}  // namespace tablemap::test
