// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tablemap::inline v0_1::detail {

/// The most rows that a call looks at together, with a request for each: it bounds the memory and the open requests.
inline constexpr std::size_t most_at_once = 16;

}  // namespace tablemap::detail
