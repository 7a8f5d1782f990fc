// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <functional>
#include <memory>
#include <string>

/// The least that cpprestsdk needs to speak HTTP: one client, whose sockets it pools itself. cpprestsdk stays in its
/// source.
namespace bench {

class bare_cpprest {
public:
    struct answer {
        int status = 0;  ///< 0: there is no response
        std::string etag{};
        std::string body{};
    };
    using handler = std::function<void(answer&&)>;

    explicit bare_cpprest(tablemap::http_origin const& origin);
    ~bare_cpprest();
    bare_cpprest(bare_cpprest const&) = delete;
    bare_cpprest& operator=(bare_cpprest const&) = delete;

    /// Sends this request as it is, and calls the handler on a thread of cpprestsdk's pool.
    void send(tablemap::http_request const& r, handler h);

    /// The same, and waits.
    answer send(tablemap::http_request const& r);

private:
    struct client;
    std::unique_ptr<client> client_;
};

}  // namespace bench
