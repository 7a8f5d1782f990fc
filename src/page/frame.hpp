// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/html.hpp"

namespace tablemap::inline v0_1::page {

/// The beginning of every page, with its style. Its policy forbids scripts and everything from elsewhere.
void begin_page(html& to, std::string_view title);

void end_page(html& to);

}  // namespace tablemap::page
