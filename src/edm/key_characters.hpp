// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tablemap::inline v0_1::detail {

struct key_characters {
    std::optional<std::size_t> units;  // in UTF-16; nothing if it is not valid UTF-8
    bool forbidden;                    // as `find_forbidden_in_key` says
};

/// Looks at a key once, many characters at a time while they are ordinary ones.
key_characters look_at_key(std::string_view key) noexcept;

}  // namespace tablemap::detail
