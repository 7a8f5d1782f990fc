// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/embedded/store.hpp"

#include <algorithm>
#include <cstdint>

namespace tablemap::inline v0_1::detail::embedded {

/// The limits of the write-ahead log in pages: it is copied into the file from `fold_at` on, and no write begins from
/// `most` on. So the log is at most `most` pages and one transaction long.
struct log_bounds {
    explicit log_bounds(embedded_options const& options) noexcept
        : most(std::clamp<std::int64_t>(options.max_page_count.value_or(8192), 16, 8192)),
          fold_at(std::min<std::int64_t>(most / 2, 1000)) {}

    std::int64_t most;
    std::int64_t fold_at;
};

/// A page of this store with its header in the log.
inline constexpr std::int64_t log_frame_bytes = 8192 + 24;

}  // namespace tablemap::detail::embedded
