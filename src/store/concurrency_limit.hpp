// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tablemap::inline v0_1::detail {

/// The number of requests that may be under way at once: one more for each window of successes, half as many when the
/// store is busy, at most once for all that were under way together.
class concurrency_limit {
public:
    explicit concurrency_limit(std::size_t most, std::size_t first = 4) noexcept
        : most_(std::max<std::size_t>(most, 1)), size_(std::min(most_, std::max<std::size_t>(first, 1))) {}

    std::size_t size() const noexcept { return size_; }

    /// Counts a request. Returns the mark to give back with its response.
    std::uint64_t begin() noexcept { return ++sent_; }

    void succeeded() noexcept {
        if (++successes_ < size_) return;
        successes_ = 0;
        size_ = std::min(size_ + 1, most_);
    }

    void on_throttled(std::uint64_t mark) noexcept {
        if (mark <= cut_at_) return;  // it was sent before the request whose response made the last cut
        cut_at_ = sent_;
        successes_ = 0;
        size_ = std::max<std::size_t>(size_ / 2, 1);
    }

private:
    std::size_t most_, size_;
    std::size_t successes_ = 0;
    std::uint64_t sent_ = 0, cut_at_ = 0;
};

}  // namespace tablemap::detail
