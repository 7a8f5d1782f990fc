// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/testing/faulty_store.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {

class http_reader;
struct http_head;

/// A port of this machine that passes requests on to a server of HTTP 1.1 behind it, unless a fault is due. It does to
/// the bytes of requests what `testing::faulty_store` does to requests.
///
///     busy         answered 503 with ServerBusy and Retry-After
///     lost_before  read, not passed on, and the connection closed
///     lost_after   passed on, and the connection closed instead of a response
///     late_before  read, not passed on, and never answered
///     late_after   passed on, and never answered
///     truncated    passed on, and the connection closed in the middle of the response's body, else of its head
///     reset        read up to the middle of its body, and the connection reset
///
/// One thread for each connection. Thread safety: full.
class fault_proxy {
public:
    explicit fault_proxy(std::uint16_t server_port);
    ~fault_proxy();
    fault_proxy(fault_proxy const&) = delete;
    fault_proxy& operator=(fault_proxy const&) = delete;

    std::uint16_t port() const noexcept { return port_; }

    /// The request after `skip` others from now on meets this fault.
    void fail_next(testing::fault f, std::size_t skip = 0);

    /// No more faults, even planned ones.
    void stop_failing();

    /// The methods of all requests so far, in the order in which they came.
    std::vector<std::string> methods() const;

    /// The number of requests that met their fault.
    std::size_t faults() const;

private:
    struct connection {
        int socket;
        bool open = true;
        std::thread thread{};
    };

    void accept();
    void serve(connection& c);
    bool serve_one(int socket, http_reader& from);
    bool pass_on(int socket, std::string const& request, std::optional<testing::fault> due) const;
    std::optional<testing::fault> next_fault(http_head const& head);
    void join_ended();

    std::uint16_t const server_port_;
    int listener_ = -1;
    std::uint16_t port_ = 0;

    mutable std::mutex mutex_;
    std::list<connection> connections_;
    std::map<std::size_t, testing::fault> planned_;
    std::vector<std::string> methods_;
    std::size_t faults_ = 0;
    bool ending_ = false;
    std::thread acceptor_;
};

}  // namespace tablemap::test
