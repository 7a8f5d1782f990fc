// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

/// The least that Boost.Beast needs to speak HTTP: connections that are always open, one thread, no deadlines. Beast
/// stays in its source.
namespace bench {

class bare_beast {
public:
    struct answer {
        int status = 0;  ///< 0: there is no response
        std::string etag{};
        std::string body{};
    };
    using handler = std::function<void(answer&&)>;

    /// So many connections are opened at once.
    bare_beast(tablemap::http_origin const& origin, std::size_t connections);
    ~bare_beast();
    bare_beast(bare_beast const&) = delete;
    bare_beast& operator=(bare_beast const&) = delete;

    /// Sends this request on a connection that has none under way, and calls the handler on the one thread. There must
    /// be such a connection.
    void send(tablemap::http_request r, handler h);

    /// Sends this request on the calling thread, which must be the only one.
    answer send(tablemap::http_request const& r);

private:
    struct client;
    std::unique_ptr<client> client_;
};

}  // namespace bench
