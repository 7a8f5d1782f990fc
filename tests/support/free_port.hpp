// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tablemap::test {

/// A port of this machine's loopback that was free a moment ago: another process may take it first. Throws if there is
/// none.
std::uint16_t free_port();

}  // namespace tablemap::test
