// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/store/options.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <system_error>

namespace tablemap::inline v0_1::detail {

/// The surroundings of a call: time, randomness, and the end of the call.
class environment {
public:
    explicit environment(call_options const& options) noexcept;

    time_point now() const { return clock_.now(); }
    std::uint64_t random() const { return clock_.random(); }
    tablemap::clock& clock() const noexcept { return clock_; }
    call_options const& options() const noexcept { return options_; }

    /// The reason why no more may be sent: cancelled, or past the deadline. Empty code: go on.
    std::error_code why_stop() const;

    /// The end of a wait of this length, or nothing if the deadline comes first.
    std::optional<time_point> wait_for(std::chrono::nanoseconds d) const;

    /// `d` shortened by a random share of at most `jitter`.
    std::chrono::nanoseconds jittered(std::chrono::nanoseconds d, double jitter) const;

private:
    call_options const& options_;
    tablemap::clock& clock_;
};

}  // namespace tablemap::detail
