// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/clock.hpp"

#include <condition_variable>
#include <mutex>
#include <random>

namespace tablemap {
namespace {

class system_clock final : public clock {
public:
    time_point now() noexcept override { return std::chrono::steady_clock::now(); }

    std::uint64_t random() noexcept override {
        thread_local std::mt19937_64 engine = seeded();
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
