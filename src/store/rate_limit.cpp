// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/rate_limit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

namespace tablemap {
namespace {

/// How long so many entities keep a lane busy. Rounded up, so that the rate is never exceeded.
time_point::duration time_for(std::size_t entities, double per_second) {
    constexpr double longest = 1e9;
    auto const seconds = std::min(static_cast<double>(entities) / per_second, longest);
    return std::chrono::ceil<time_point::duration>(std::chrono::duration<double>{seconds});
}

}  // namespace

rate_limiter::verdict rate_limiter::try_take(std::string_view partition_key, std::size_t entities, time_point now) {
    std::scoped_lock const lock{mutex_};
    if (limits_.per_account > 0 && account_free_ > now) return {account_free_, true};
    if (limits_.per_partition > 0) {
        if (partitions_free_.size() >= look_again_at_) forget_idle(now);
        auto& free = partitions_free_.try_emplace(std::hash<std::string_view>{}(partition_key), now).first->second;
        if (free > now) return {free, false};
        free = now + time_for(entities, limits_.per_partition);
    }
    if (limits_.per_account > 0) account_free_ = now + time_for(entities, limits_.per_account);
    return {};
}

void rate_limiter::forget_idle(time_point now) {
    std::erase_if(partitions_free_, [&](auto const& p) { return p.second <= now; });
    look_again_at_ = std::max<std::size_t>(1024, 2 * partitions_free_.size());
}

}  // namespace tablemap
