// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

struct socket_address {
    sockaddr_storage bytes{};
    socklen_t size = 0;
};

/// In the order in which they are to be tried; empty: the name has none.
using address_list = std::shared_ptr<std::vector<socket_address> const>;

/// Looks up one name. The system's look-up can neither be timed nor ended, so it has a thread of its own, which lives
/// for one look-up and is never joined. Callers that ask meanwhile get the same response. Thread safety: full.
class address_book {
public:
    address_book(std::string host, std::string port);

    /// The addresses, without any look-up, if the host is an address itself; else null.
    address_list const& known() const noexcept { return known_; }

    /// Calls back on another thread. Throws `std::system_error` if there can be no thread.
    void ask(std::function<void(address_list const&)> then);

private:
    struct page;
    std::shared_ptr<page> page_;
    address_list known_;
};

}  // namespace tablemap::detail
