// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/converter.hpp"
#include "tablemap/edm/types.hpp"

#include <cstdint>
#include <vector>

namespace tablemap::inline v0_1 {

/// Stores a vector of bytes as Edm.Binary, like `tablemap::bytes`.
template <> struct converter<std::vector<std::uint8_t>> {
    using stored = bytes;
    static stored to_property(std::vector<std::uint8_t> const& octets);
    static std::vector<std::uint8_t> from_property(stored const& b);
};

}  // namespace tablemap
