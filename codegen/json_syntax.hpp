// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::codegen {

/// Why text is no JSON, in the words of somebody who has to repair it.
struct syntax_fault {
    std::size_t offset = 0;  ///< in bytes
    std::string text{};
};

/// The first thing in a text that makes it no JSON, or JSON that is nested deeper than any schema is; nothing if there is none.
std::optional<syntax_fault> find_syntax_fault(std::string_view text);

}  // namespace tablemap::codegen
