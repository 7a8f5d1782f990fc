// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace tablemap {

/// Entities per second; 0: as many as there are.
struct rate_limits {
    double per_partition = 0;
    double per_account = 0;

    friend bool operator==(rate_limits const&, rate_limits const&) = default;
};

/// Holds writers to a rate: what was sent has to be paid for in time before more may follow. There are no bursts: what was
/// not used is not saved up. Several writers may share one. Memory: some bytes for each partition that was written to just
/// now. Thread safety: full.
class rate_limiter {
public:
    explicit rate_limiter(rate_limits limits);
    ~rate_limiter();
    rate_limiter(rate_limiter const&) = delete;
    rate_limiter& operator=(rate_limiter const&) = delete;

    rate_limits const& limits() const& noexcept { return limits_; }
    rate_limits limits() const&& { return limits_; }

    /// When so many entities may go to a partition, and what holds them back.
    struct verdict {
        std::optional<time_point> not_before{};  ///< nothing: now, and they are counted
        bool account = false;                    ///< no partition may send before that
    };

    verdict try_take(std::string_view partition_key, std::size_t entities, time_point now);

    /// How many partitions it has in mind at present.
    std::size_t known_partitions() const;

private:
    struct state;

    rate_limits const limits_;
    std::unique_ptr<state> state_;
};

}  // namespace tablemap
