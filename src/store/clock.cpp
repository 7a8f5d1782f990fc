// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/clock.hpp"

#include <condition_variable>
#include <mutex>
#include <random>

#include <unistd.h>

namespace tablemap {
namespace {

class system_clock final : public clock {
public:
    time_point now() noexcept override { return std::chrono::steady_clock::now(); }

    std::uint64_t random() noexcept override {
        // A child of fork would go on with its parent's numbers, and take the parent's operation tokens for its own.
        thread_local std::mt19937_64 engine;
        thread_local pid_t owner = 0;
        if (auto const self = getpid(); owner != self) {
            engine = seeded();
            owner = self;
        }
        return engine();
    }

    void sleep_until(time_point t, std::stop_token const& stop) override {
        std::mutex m;
        std::condition_variable_any woken;
        std::unique_lock lock{m};
        woken.wait_until(lock, stop, t, [] { return false; });
    }

private:
    static std::mt19937_64 seeded() {
        std::random_device device;
        std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
        return std::mt19937_64{seed};
    }
};

}  // namespace

clock& clock::system() noexcept {
    static system_clock instance;
    return instance;
}

}  // namespace tablemap
