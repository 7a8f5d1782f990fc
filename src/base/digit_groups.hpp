// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// A number for people, such as 12,345, whatever the program's locale.
inline std::string with_separators(std::uint64_t n) {
    auto digits = std::to_string(n);
    for (auto at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

/// A number of things for people, such as "1 row has" and "2,000 rows have".
inline std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
    return with_separators(n).append(" ").append(n == 1 ? one : many);
}

}  // namespace tablemap::detail
