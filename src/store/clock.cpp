// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/clock.hpp"

#include "crypto/random_stock.hpp"

#include <bit>
#include <condition_variable>
#include <mutex>

namespace tablemap::inline v0_1 {
namespace {

class system_clock final : public clock {
public:
    time_point now() noexcept override { return std::chrono::steady_clock::now(); }

    /// Ends the process on a system that has no random numbers: identifiers that others can guess would be worse.
    std::uint64_t random() noexcept override {
        thread_local detail::random_stock<sizeof(std::uint64_t)> stock;
        return std::bit_cast<std::uint64_t>(stock.take());
    }

    void sleep_until(time_point t, std::stop_token const& stop) override {
        std::mutex m;
        std::condition_variable_any woken;
        std::unique_lock lock{m};
        woken.wait_until(lock, stop, t, [] { return false; });
    }
};

}  // namespace

clock& clock::system() noexcept {
    static system_clock instance;
    return instance;
}

}  // namespace tablemap
