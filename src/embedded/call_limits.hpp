// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/options.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>

namespace tablemap::inline v0_1::detail::embedded {

/// The time that one call may wait. Deadlines of a clock that is not the system's are carried over as the time left.
class call_limits {
public:
    explicit call_limits(call_options const& options);

    std::optional<std::chrono::steady_clock::time_point> const& deadline() const noexcept { return deadline_; }
    std::stop_token const& stop() const noexcept { return *stop_; }
    bool passed() const noexcept;

    /// Throws `library_errc::cancelled` or `deadline_exceeded` once the call is to end.
    void check() const;

private:
    std::stop_token const* stop_;
    std::optional<std::chrono::steady_clock::time_point> deadline_{};
};

/// A lock that is waited for no longer than a call allows.
class gate {
public:
    void enter(call_limits const& limits);
    bool try_enter() noexcept;
    void leave() noexcept;

private:
    std::mutex mutex_;
    std::condition_variable_any left_;
    bool taken_ = false;
};

}  // namespace tablemap::detail::embedded
