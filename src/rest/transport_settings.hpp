// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// Checks and reads the options of transports.
namespace tablemap::inline v0_1::detail {

/// The factor by which a response may be larger than its body: chunks of a single byte make it six times as large.
inline constexpr std::size_t most_around_a_body = 8;

/// Throws `library_errc::invalid_connection_string` unless every part is valid: a request's head is made of them, and
/// the scheme decides on encryption.
void check_origin(http_origin const& o);

/// Throws `library_errc::value_out_of_range` for the member that no transport can keep, such as a timeout of zero.
void check_options(transport_options const& o);

/// The same options with durations that can be added to the time: a year means never. Throws as `check_options` does.
transport_options bounded(transport_options o);

/// An HTTP proxy, as `transport_options::proxy` names it. User and password are secrets: they occur in no error.
struct http_proxy {
    std::string host{};  ///< without brackets
    std::string port{};
    std::string user{};  ///< empty: the proxy is told none
    std::string password{};

    /// The value of Proxy-Authorization; empty without a user.
    std::string authorization() const;
};

/// Nothing for an empty text. Throws `library_errc::invalid_connection_string` for any other that is no proxy's URL.
std::optional<http_proxy> proxy_in(std::string const& url);

/// The status of a proxy that wants (other) credentials.
constexpr int proxy_authentication_required = 407;

/// The advice for a refusal by the proxy.
std::string proxy_refusal(int status);

/// A host as it stands in an authority: IPv6 addresses in brackets.
std::string bracketed(std::string const& host);

}  // namespace tablemap::detail
