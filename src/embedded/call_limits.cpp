// SPDX-License-Identifier: Apache-2.0
#include "embedded/call_limits.hpp"

#include "embedded/refusal.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail::embedded {

call_limits::call_limits(call_options const& options) : stop_(&options.stop) {
    if (!options.deadline) return;
    auto const now = std::chrono::steady_clock::now();
    deadline_ = options.clock ? now + (*options.deadline - options.clock->now()) : *options.deadline;
}

bool call_limits::passed() const noexcept { return deadline_ && std::chrono::steady_clock::now() >= *deadline_; }

void call_limits::check() const {
    if (stop_->stop_requested()) refuse(library_errc::cancelled, "a stop was requested");
    if (passed()) refuse(library_errc::deadline_exceeded, "the call's deadline passed before the store could answer");
}

void gate::enter(call_limits const& limits) {
    std::unique_lock lock{mutex_};
    if (taken_) {
        auto const free = [this] { return !taken_; };
        bool const entered = limits.deadline() ? left_.wait_until(lock, limits.stop(), *limits.deadline(), free)
                                               : left_.wait(lock, limits.stop(), free);
        if (!entered) {
            limits.check();
            refuse(store_errc::busy, "another call held the store for too long");
        }
    }
    taken_ = true;
}

bool gate::try_enter() noexcept {
    std::unique_lock const lock{mutex_, std::try_to_lock};
    return lock && !std::exchange(taken_, true);
}

void gate::leave() noexcept {
    {
        std::lock_guard lock{mutex_};
        taken_ = false;
    }
    left_.notify_one();
}

}  // namespace tablemap::detail::embedded
