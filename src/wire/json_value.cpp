// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/json_value.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {

json_value const* json_value::find(std::string_view name) const noexcept {
    auto const at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? nullptr : &items[static_cast<std::size_t>(at - names.begin())];
}

std::size_t json_depth(std::string_view text) noexcept {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (c == '"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\' ? 1 : 0;
        else if (c == '[' || c == '{')
            deepest = std::max(deepest, ++depth);
        else if (c == ']' || c == '}')
            --depth;
    }
    return deepest;
}

}  // namespace tablemap::inline v0_1::detail
