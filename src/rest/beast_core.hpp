// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/beast_exchange.hpp"
#include "rest/beast_pool.hpp"

#include "tablemap/rest/transport.hpp"

#include <memory>
#include <system_error>

namespace tablemap::inline v0_1::detail {

/// The state that the two drivers of a transport share.
struct beast_core {
    beast_core(http_origin const& origin, transport_options const& options)
        : settings(origin, options), pool(options.connections, settings.options.idle_limit) {}

    beast_settings settings;
    connection_pool pool;
};

/// The time by which a request has to end, and its error then.
struct time_limit {
    time_point at;
    std::error_code code;
};

/// Carries out a request on this thread.
http_result call_blocking(beast_core& core, http_request const& r, time_limit until, std::stop_token const& stop);

}  // namespace tablemap::detail
