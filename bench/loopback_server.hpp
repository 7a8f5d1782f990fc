// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/connection_string.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace tablemap::test {
class child_process;
}

namespace bench {

/// nginx with canned answers, in one process that ends with this one.
class loopback_server {
public:
    static loopback_server& instance();
    ~loopback_server();

    tablemap::http_origin origin() const { return {"http", "127.0.0.1", port_}; }
    std::size_t body_size() const { return body_.size(); }

    /// An account there.
    tablemap::storage_account account() const;

    /// The operations of a group transaction that is answered.
    static constexpr std::size_t group_size = 100;

private:
    loopback_server();

    bool start();
    std::string configuration() const;

    std::string const body_;
    std::string port_;
    std::filesystem::path folder_;
    std::unique_ptr<tablemap::test::child_process> process_;
};

}  // namespace bench
