// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <vector>

namespace tablemap::inline v0_1::testing {

/// A clock that stands still until it is moved: waits end at once, move it, and are recorded. Random numbers come from
/// a seed. Give it to calls as `call_options::clock`.
///
/// \par Thread safety
/// Full.
class fixed_clock final : public clock {
public:
    explicit fixed_clock(std::uint64_t seed = 1) : random_(seed) {}

    time_point now() noexcept override {
        std::scoped_lock lock{mutex_};
        return now_;
    }

    std::uint64_t random() noexcept override {
        std::scoped_lock lock{mutex_};
        return random_();
    }

    void sleep_until(time_point t, std::stop_token const& stop) override {
        std::scoped_lock lock{mutex_};
        if (stop.stop_requested()) return;
        waits_.push_back(t - now_);
        now_ = std::max(now_, t);
    }

    void advance(std::chrono::nanoseconds d) {
        std::scoped_lock lock{mutex_};
        now_ += std::chrono::duration_cast<time_point::duration>(d);
    }

    /// The durations of the waits, in order.
    std::vector<std::chrono::nanoseconds> waits() const {
        std::scoped_lock lock{mutex_};
        return waits_;
    }

private:
    mutable std::mutex mutex_;
    time_point now_{std::chrono::hours{1}};
    std::mt19937_64 random_;
    std::vector<std::chrono::nanoseconds> waits_;
};

}  // namespace tablemap::testing
