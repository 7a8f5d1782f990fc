// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/report.hpp"

#include <string>

namespace tablemap::inline v0_1::page {

/// The report as one page of HTML, which needs nothing besides itself: no script, no network, no font.
std::string report_page(report const& r);

}  // namespace tablemap::page
