// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tablemap::test {

/// The rows of the table that follows the comment `<!-- name: … -->` on a page under docs/, without its two head rows;
/// the marks of code in cells are taken off. Throws if there is none.
std::vector<std::vector<std::string>> page_table(std::string const& page, std::string_view name);

/// Text without spaces, since a layout of source is no promise of a page.
std::string without_spaces(std::string_view text);

}  // namespace tablemap::test
