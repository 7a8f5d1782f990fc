// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The settings of an account's table service, and the state of its replication.
namespace tablemap::inline v0_1 {

/// The kinds of requests that the service writes to its log.
struct logging_settings {
    std::string version = "1.0";
    bool deletes = false;
    bool reads = false;
    bool writes = false;
    std::optional<std::int32_t> retention_days{};  ///< 1 to 365; nothing: logs are kept

    friend bool operator==(logging_settings const&, logging_settings const&) = default;
};

/// The metrics that the service keeps, by the hour or by the minute.
struct metrics_settings {
    std::string version = "1.0";
    bool enabled = false;
    bool include_apis = false;                     ///< also for each kind of request; needs `enabled`
    std::optional<std::int32_t> retention_days{};  ///< 1 to 365; nothing: metrics are kept

    friend bool operator==(metrics_settings const&, metrics_settings const&) = default;
};

/// A rule for web pages that call the service from a browser. An element of a list holds no comma.
struct cors_rule {
    std::vector<std::string> allowed_origins{};  ///< such as "https://contoso.com", or "*"
    std::vector<std::string> allowed_methods{};  ///< such as "GET"
    std::vector<std::string> allowed_headers{};
    std::vector<std::string> exposed_headers{};
    std::chrono::seconds max_age{
        0};  ///< the time for which a browser may remember the response to its preflight request

    friend bool operator==(cors_rule const&, cors_rule const&) = default;
};

/// The settings of a table service. When they are set, an empty member leaves its setting as it is; an empty list of
/// rules removes all rules.
struct service_properties {
    std::optional<logging_settings> logging{};
    std::optional<metrics_settings> hour_metrics{};
    std::optional<metrics_settings> minute_metrics{};
    std::optional<std::vector<cors_rule>> cors{};  ///< at most 5

    friend bool operator==(service_properties const&, service_properties const&) = default;
};

/// The state of an account's readable copy in another region.
enum class replication_status : std::uint8_t {
    live,         ///< in use
    bootstrap,    ///< being made for the first time
    unavailable,  ///< out of order
};

struct service_statistics {
    replication_status status{};
    std::optional<ticks> last_sync{};  ///< changes before this time can be read from the copy; nothing: not known

    friend bool operator==(service_statistics const&, service_statistics const&) = default;
};

namespace detail {
/// Refuses settings that no store takes: more than 5 CORS rules, a rule without origin or method, elements with commas,
/// text that XML cannot carry, days and ages outside their range.
///
/// \return nothing, or error `service_errc::out_of_range_input`, `invalid_input`, with the setting as its member
result<void> check_service_properties(service_properties const& p);
}  // namespace detail

}  // namespace tablemap
