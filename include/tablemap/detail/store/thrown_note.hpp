// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/clock.hpp"

#include <atomic>
#include <exception>
#include <mutex>

namespace tablemap::inline v0_1::detail {

/// The first exception that a clock or an observer of the program threw where none may pass, until the driver of the
/// operation throws it. Thread safety: full.
class thrown_note {
public:
    void keep(std::exception_ptr e) noexcept;

    /// Passes the exception on to another operation.
    void pass_to(thrown_note& other) noexcept;

    /// Throws the exception, once.
    void rethrow() {
        if (any_.load(std::memory_order_acquire)) [[unlikely]]
            rethrow_first();
    }

private:
    void rethrow_first();

    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::exception_ptr first_;
};

/// A clock of the program, for code that cannot let exceptions pass: its exceptions are noted, and the system's clock
/// answers in its place.
class guarded_clock final : public clock {
public:
    explicit guarded_clock(thrown_note& note) noexcept : note_(note) {}

    /// Sets the clock. Both must outlive this.
    void watch(clock& c) noexcept { inner_ = &c; }

    time_point now() noexcept override;
    std::uint64_t random() noexcept override;
    void sleep_until(time_point t, std::stop_token const& stop) override;

    /// The clock of the program.
    clock& inner() const noexcept { return *inner_; }

private:
    template <class Ask> auto guarded(Ask ask) noexcept;

    thrown_note& note_;
    clock* inner_ = &clock::system();
};

}  // namespace tablemap::detail
