// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tablemap::inline v0_1::detail {

/// A number of the running process, which differs from those of all processes that it was forked from. Costs a read of
/// memory where the system has MADV_WIPEONFORK, and a call of getpid() elsewhere.
///
/// Thread safety: full.
std::uint64_t process_number() noexcept;

}  // namespace tablemap::detail
