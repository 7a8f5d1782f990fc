// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/environment.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

environment::environment(call_options const& options) noexcept
    : options_(options), clock_(options.clock ? *options.clock : clock::system()) {}

std::error_code environment::why_stop() const {
    if (options_.stop.stop_requested()) return library_errc::cancelled;
    if (options_.deadline && now() >= *options_.deadline) return library_errc::deadline_exceeded;
    return {};
}

std::optional<time_point> environment::wait_for(std::chrono::nanoseconds d) const {
    auto const until = now() + std::chrono::duration_cast<time_point::duration>(d);
    if (options_.deadline && until >= *options_.deadline) return std::nullopt;
    return until;
}

std::chrono::nanoseconds environment::jittered(std::chrono::nanoseconds d, double jitter) const {
    constexpr double unit = 0x1p-53;
    auto const share = static_cast<double>(random() >> 11) * unit * std::clamp(jitter, 0.0, 1.0);
    return std::chrono::nanoseconds{static_cast<std::int64_t>(static_cast<double>(d.count()) * (1.0 - share))};
}

}  // namespace tablemap::detail
