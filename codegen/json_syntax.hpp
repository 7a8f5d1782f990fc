// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::codegen {

/// The reason why text is no JSON, worded for a person who has to repair it.
struct syntax_fault {
    std::size_t offset = 0;  ///< in bytes
    std::string text{};
};

/// The first syntax error of a text as JSON, or a nesting deeper than in any schema; nothing if there is none.
std::optional<syntax_fault> find_syntax_fault(std::string_view text);

}  // namespace tablemap::codegen
