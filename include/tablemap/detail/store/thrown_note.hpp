// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace tablemap::inline v0_1::detail {

/// The first exception that a clock or an observer of the program threw where none may pass, until the driver of the
/// operation throws it. Thread safety: full.
class thrown_note {
public:
    void keep(std::exception_ptr e) noexcept {
        std::scoped_lock const lock{mutex_};
        if (!first_) first_ = std::move(e);
        any_.store(true, std::memory_order_release);
    }

    /// Passes the exception on to another operation.
    void pass_to(thrown_note& other) noexcept {
        std::scoped_lock const lock{mutex_};
        if (first_) other.keep(std::exchange(first_, nullptr));
    }

    /// Throws the exception, once.
    void rethrow() {
        if (!any_.load(std::memory_order_acquire)) [[likely]]
            return;
        std::unique_lock lock{mutex_};
        any_.store(false, std::memory_order_relaxed);
        auto const e = std::exchange(first_, nullptr);
        lock.unlock();
        if (e) std::rethrow_exception(e);
    }

private:
    std::atomic<bool> any_{false};
    std::mutex mutex_{};
    std::exception_ptr first_{};
};

/// A clock of the program, for code that cannot let exceptions pass: its exceptions are noted, and the system's clock
/// answers in its place.
class guarded_clock final : public clock {
    template <class Ask> auto guarded(Ask ask) noexcept {
        try {
            return ask(*inner_);
        } catch (...) {
            note_.keep(std::current_exception());
        }
        return ask(clock::system());
    }

public:
    explicit guarded_clock(thrown_note& note) noexcept : note_(note) {}

    /// Sets the clock. Both must outlive this.
    void watch(clock& c) noexcept { inner_ = &c; }

    time_point now() noexcept override {
        return guarded([](clock& c) { return c.now(); });
    }
    std::uint64_t random() noexcept override {
        return guarded([](clock& c) { return c.random(); });
    }
    void sleep_until(time_point t, std::stop_token const& stop) override { inner_->sleep_until(t, stop); }

    /// The clock of the program.
    clock& inner() const noexcept { return *inner_; }

private:
    thrown_note& note_;
    clock* inner_ = &clock::system();
};

}  // namespace tablemap::detail
