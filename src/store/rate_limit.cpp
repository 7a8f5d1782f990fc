// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/rate_limit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace tablemap::inline v0_1 {
namespace {

/// The time that this many entities take at the rate. Rounded up, so that the rate is never exceeded.
time_point::duration time_for(std::size_t entities, double per_second) {
    constexpr double longest = 1e9;
    auto const seconds = std::min(static_cast<double>(entities) / per_second, longest);
    return std::chrono::ceil<time_point::duration>(std::chrono::duration<double>{seconds});
}

}  // namespace

struct rate_limiter::state {
    void forget_idle(time_point now) {
        std::erase_if(partitions_free, [&](auto const& p) { return p.second <= now; });
        look_again_at = std::max<std::size_t>(1024, 2 * partitions_free.size());
    }

    std::mutex mutex{};
    time_point account_free = time_point::min();
    std::unordered_map<std::size_t, time_point>
        partitions_free{};  ///< by hash: those that share one wait for each other
    std::size_t look_again_at = 1024;
};

rate_limiter::rate_limiter(rate_limits limits) : limits_(limits), state_(std::make_shared<state>()) {}
rate_limiter::~rate_limiter() = default;

rate_limiter::verdict rate_limiter::try_take(std::string_view partition_key, std::size_t entities, time_point now) {
    auto& s = *state_;
    std::scoped_lock const lock{s.mutex};
    if (limits_.per_account > 0 && s.account_free > now) return {s.account_free, true};
    if (limits_.per_partition > 0) {
        if (s.partitions_free.size() >= s.look_again_at) s.forget_idle(now);
        auto& free = s.partitions_free.try_emplace(std::hash<std::string_view>{}(partition_key), now).first->second;
        if (free > now) return {free, false};
        free = now + time_for(entities, limits_.per_partition);
    }
    if (limits_.per_account > 0) s.account_free = now + time_for(entities, limits_.per_account);
    return {};
}

std::size_t rate_limiter::known_partitions() const {
    std::scoped_lock const lock{state_->mutex};
    return state_->partitions_free.size();
}

}  // namespace tablemap
