// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace tablemap::inline v0_1 {

/// Entities per second; 0: no limit.
struct rate_limits {
    double per_partition = 0;
    double per_account = 0;

    friend bool operator==(rate_limits const&, rate_limits const&) = default;
};

/// Holds writers to a rate: after a write of n entities, the next may follow when n entities' time has passed. There
/// are no bursts: unused time is not saved. Several writers may share one limiter. It takes some bytes for each
/// partition that was written to recently.
///
/// \par Thread safety
/// Full.
class rate_limiter {
public:
    explicit rate_limiter(rate_limits limits);
    ~rate_limiter();
    rate_limiter(rate_limiter const&) = delete;
    rate_limiter& operator=(rate_limiter const&) = delete;

    rate_limits const& limits() const& noexcept { return limits_; }
    rate_limits limits() const&& { return limits_; }

    /// The time at which the entities may be sent to a partition, and the limit that holds them back.
    struct verdict {
        std::optional<time_point> not_before{};  ///< nothing: they may be sent now, and are counted
        bool account = false;                    ///< the account's limit: no partition may send before that time
    };

    verdict try_take(std::string_view partition_key, std::size_t entities, time_point now);

    /// The number of partitions that it remembers at present.
    std::size_t known_partitions() const;

private:
    struct state;

    rate_limits const limits_;
    std::shared_ptr<state> const state_;  ///< of one owner: a unique_ptr takes longer to compile
};

}  // namespace tablemap
