// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace tablemap::test {

/// Goes on as the system's does, but no wait takes time.
class hasty_clock final : public clock {
public:
    time_point now() noexcept override { return clock::system().now(); }
    std::uint64_t random() noexcept override { return clock::system().random(); }
    void sleep_until(time_point t, std::stop_token const&) override {
        std::scoped_lock lock{mutex_};
        waited_ += std::max(t - now(), std::chrono::nanoseconds{0});
    }
    std::chrono::nanoseconds waited() {
        std::scoped_lock lock{mutex_};
        return waited_;
    }

private:
    std::mutex mutex_;
    std::chrono::nanoseconds waited_{0};
};

}  // namespace tablemap::test
