// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/clock.hpp"

#include "crypto/primitives.hpp"

#include <array>
#include <condition_variable>
#include <mutex>
#include <span>
#include <utility>

#include <unistd.h>

namespace tablemap::inline v0_1 {
namespace {

/// Random numbers of the system, fetched several at a time: a single one costs as much as all of them.
class random_stock {
public:
    std::uint64_t take() {
        // A child of fork would go on with its parent's numbers, and use the parent's operation ids for its own.
        if (auto const self = getpid(); next_ == words_.size() || owner_ != self) {
            detail::fill_random(std::as_writable_bytes(std::span{words_}));
            next_ = 0;
            owner_ = self;
        }
        return std::exchange(words_[next_++], 0);
    }

private:
    std::array<std::uint64_t, 32> words_{};
    std::size_t next_ = words_.size();
    pid_t owner_ = 0;
};

class system_clock final : public clock {
public:
    time_point now() noexcept override { return std::chrono::steady_clock::now(); }

    /// Ends the process on a system that has no random numbers: identifiers that others can guess would be worse.
    std::uint64_t random() noexcept override {
        thread_local random_stock stock;
        return stock.take();
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
