// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tablemap::inline v0_1::detail {

/// A number for people, such as 12,345, whatever the program's locale.
inline std::string with_separators(std::uint64_t n) {
    auto digits = std::to_string(n);
    for (auto at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

}  // namespace tablemap::detail
