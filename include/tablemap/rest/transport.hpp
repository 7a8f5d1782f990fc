// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/store/options.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// HTTP as a REST store needs it: requests, results and the interface of transports.
namespace tablemap::inline v0_1 {

/// The scheme, host and port that requests go to.
struct http_origin {
    std::string scheme;  ///< "http" or "https"
    std::string host;    ///< a name or an address, without brackets
    std::string port;    ///< decimal, never empty

    friend bool operator==(http_origin const&, http_origin const&) = default;
};

/// One request, exactly as it is to be sent. Borrowed by the transport until it answers.
struct http_request {
    std::string method;
    std::string target;  ///< path and query in their encoded bytes, which are signed and must not change
    std::vector<std::pair<std::string, std::string>> headers{};  ///< without Host and Content-Length
    std::string body{};

    /// A request that changes something must reach the server at most once: a transport may not send it again.
    bool changes_state() const noexcept { return method != "GET" && method != "HEAD"; }
};

struct http_response {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};

    /// The first header of this name, whatever its case; null if there is none.
    std::string const* header(std::string_view name) const noexcept;
};

/// The result of a request: a response, or an error if there is none. A failure's outcome is `in_doubt` once any byte
/// of a request that changes something may have reached the server.
struct http_result {
    http_response response{};
    std::optional<error> failure{};
};

/// Takes a transport's result, exactly once, on any thread.
class http_receiver {
public:
    virtual void complete(http_result&& result) noexcept = 0;

protected:
    ~http_receiver() = default;
};

/// An HTTP client of one origin.
///
/// A transport keeps connections open and reuses them, verifies TLS certificates and host names, never sends a request
/// that changes something twice, ends a request at its deadline or when a stop is requested, and refuses responses
/// larger than its limit.
///
/// \par Thread safety
/// `send` may be called from any number of threads.
/// \par Lifetime
/// Destruction waits for outstanding requests to complete with an error.
class transport {
public:
    virtual ~transport() = default;

    /// Sends a request. The response may come before this call returns.
    ///
    /// \par Lifetime
    /// `r` and `o` must outlive the response.
    virtual void send(http_request const& r, call_options const& o, http_receiver& to) = 0;

    /// Sends a request and waits for its result on this thread. This default waits for `send`; a transport that can do
    /// the work on the calling thread saves two changes of thread.
    virtual http_result call(http_request const& r, call_options const& o);
};

/// The settings of a deployment. Every transport keeps all of them.
struct transport_options {
    std::string name{};  ///< "cpprest" or "beast"; empty: as the connection string says, else the first this build has
    std::size_t connections = 32;                       ///< open at most, per origin; further requests wait in turn
    std::size_t largest_response = 64 * 1024 * 1024;    ///< bytes of one body
    std::chrono::milliseconds longest_request{30'000};  ///< the limit of a call without a deadline
    std::chrono::milliseconds connect_timeout{10'000};  ///< until a new connection can carry a request, TLS included
    std::chrono::milliseconds idle_limit{30'000};       ///< a connection that was idle for longer is not used again
    std::string proxy{};    ///< "http://[user:password@]host:port"; empty: none. The environment's is not looked for
    std::string ca_file{};  ///< PEM certificates to trust beside the system's
};

/// The names of the transports that this build of the library has, the default one first.
std::span<std::string_view const> transport_names() noexcept;

/// Makes the transport that the options name, or the default one. Nothing is sent yet, and no thread started.
///
/// \throws error `library_errc::invalid_connection_string` without a transport of that name, or for a proxy that is no
/// such URL; `library_errc::value_out_of_range` for an impossible size or time, naming its member;
/// `transport_errc::tls_failed` if the CA file holds no certificates; `library_errc::unsupported` for an origin or a
/// proxy that the transport cannot reach
std::shared_ptr<transport> make_transport(http_origin const& origin, transport_options const& options = {});

}  // namespace tablemap
