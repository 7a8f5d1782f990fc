// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/credential.hpp"
#include "tablemap/rest/transport.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

/// A server of the table service's REST protocol over any store, so that the service's clients and storage explorers
/// work with it.
namespace tablemap::inline v0_1 {

/// The settings of a server.
struct serve_options {
    std::string account{};  ///< 3 to 24 letters and digits, in lower case: the name that clients give
    account_key key{};      ///< what requests are signed with; `devstoreaccount1` may leave it to the emulator's

    /// Of IPv4 or IPv6. Other machines reach the server only by one of theirs. On one of this machine alone, 127.… or
    /// ::1, it refuses hosts of other names, and web pages that no CORS rule allows.
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  ///< 0: one that is free. The emulator's is 10002

    std::string certificate_file{};  ///< PEM, the server's own certificate first. Requests come over TLS then
    std::string private_key_file{};  ///< PEM, of that certificate

    std::size_t threads = 8;        ///< requests carried out at once, beside those for one entity in memory
    std::size_t connections = 256;  ///< open at once; a further one waits for one that is idle
    std::chrono::milliseconds idle_limit{60'000};       ///< until the next request has begun on an open connection
    std::chrono::milliseconds longest_request{30'000};  ///< for reading it, and again for each further step
    std::chrono::milliseconds stop_limit{5'000};        ///< the wait for requests that are under way at the end

    /// Answers GET and HEAD of `/`, and of all below `/-/`, without a signature: pages for a person on this machine.
    /// Only on an address that begins with 127. or is ::1, and only under the host names of this machine. Called
    /// concurrently.
    std::function<http_response(http_request const&)> pages{};

    std::function<ticks()> now{};  ///< the clock that dates are checked by; empty: the system's. Called concurrently
};

/// A running server. It takes at most 64 KiB of headers and 4 MiB of body, and it checks every request's signature:
/// Shared Key, Shared Key Lite, or a shared access signature with its permissions, times, addresses, protocol, range of
/// keys and stored policy.
///
/// \par Thread safety
/// All functions may be called from any number of threads.
/// \par Lifetime
/// The server keeps the store alive. Its destructor stops it.
class server {
public:
    /// Listens on the address, and serves from threads of its own.
    ///
    /// \throws error `library_errc::value_out_of_range` for a name, key, size or time that cannot be one, naming its
    /// member; `transport_errc::cannot_connect` if the address cannot be listened on; `transport_errc::tls_failed` for
    /// files that hold no certificate and its key; `library_errc::invalid_connection_string` for the emulator's public
    /// key on an address that other machines reach
    server(store_ptr store, serve_options options);
    ~server();

    server(server const&) = delete;
    server& operator=(server const&) = delete;

    /// The port that is listened on.
    std::uint16_t port() const noexcept;

    /// The account's URL, such as "http://127.0.0.1:10002/devstoreaccount1".
    std::string url() const;

    /// Takes no more connections, lets requests that are under way end, and closes all connections. After
    /// `stop_limit` it waits for the store alone: requests that end later get no response.
    void stop() noexcept;

private:
    class listener;
    std::unique_ptr<listener> listener_;
};

}  // namespace tablemap
