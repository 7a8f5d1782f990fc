// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace tablemap::inline v0_1 {

/// The tries of `modify` and `retry_on_conflict` after conflicts. Waits are random, from nothing to a bound that
/// doubles from try to try; it begins with the time that the try took, or `first_wait` if that is longer, and ends at
/// `longest_wait`.
struct modify_options {
    int attempts = 50;  ///< in total; 1: the first conflict is the error
    std::chrono::milliseconds first_wait{4};
    std::chrono::milliseconds longest_wait{500};
};

}  // namespace tablemap
