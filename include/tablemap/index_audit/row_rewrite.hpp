// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/dynamic.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace tablemap::inline v0_1 {

/// The results of `migrate` or `reencrypt` so far.
struct rewrite_report {
    std::size_t rewritten = 0;       ///< rows that are as they should be now
    std::size_t done_by_others = 0;  ///< rows that someone else rewrote or erased meanwhile
    std::vector<bad_row> refused{};  ///< rows that were left as they are, or a part of them was, each with the reason
};

/// Options of `migrate` and `reencrypt`.
struct rewrite_options {
    /// Called after every page, on the thread that drives the operation. An exception ends the operation.
    std::function<void(rewrite_report const&)> progress{};
};

}  // namespace tablemap
