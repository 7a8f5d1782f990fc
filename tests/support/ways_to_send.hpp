// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/rest/transport.hpp"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

/// The transports of this build, each in every way that it carries requests, so that the same tests hold for all.
namespace tablemap::test {

struct way_to_send {
    std::string transport;
    bool blocking = false;  ///< by `transport::call`, on a thread for each request

    std::string name() const { return transport + (blocking ? "_blocking" : ""); }
    std::shared_ptr<tablemap::transport> connect(http_origin const& origin, transport_options options = {}) const;

    friend void PrintTo(way_to_send const& w, std::ostream* out) { *out << w.name(); }
};

/// Also the blocking one, if the transport has a way of its own for it.
std::vector<way_to_send> const& ways_to_send();

/// Without the blocking ones.
std::vector<way_to_send> const& asynchronous_ways_to_send();

}  // namespace tablemap::test
