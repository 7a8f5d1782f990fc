// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/detail/keys/part_layout.hpp"

#include <cstddef>
#include <string_view>

/// Keys that hold one value, behind literals or alone, as most do. To read them as lists of parts takes 5 % of reading
/// a short row.
namespace tablemap::inline v0_1::detail {

inline bool is_one_value(static_list<part_layout> parts) noexcept {
    if (parts.empty()) return false;
    auto const last = parts.size() - 1;
    for (std::size_t i = 0; i < last; ++i)
        if (parts[i].kind != part_kind::literal) return false;
    return is_readable(parts[last]) && parts[last].form != part_form::units;
}

/// Reads such a key into its member. False if it cannot be read: `read_key_text` says why.
bool read_one_value(std::string_view text, static_list<part_layout> parts, void* member);

}  // namespace tablemap::detail
