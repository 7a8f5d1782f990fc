// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "wire/packed_rows.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace tablemap::test {

/// Rows with these headings and the same properties, as the embedded store packs them.
inline std::string packed_rows(std::initializer_list<detail::row_heading> headings, std::string_view properties = {}) {
    std::string out;
    detail::begin_packed(out);
    for (auto const& h : headings) {
        auto const at = detail::begin_packed_row(out, h);
        out += properties;
        detail::end_packed_row(out, at);
    }
    detail::end_packed(out);
    return out;
}

}  // namespace tablemap::test
