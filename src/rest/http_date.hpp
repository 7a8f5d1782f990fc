// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// Appends "Fri, 20 Nov 2026 00:00:00 GMT" (RFC 9110, section 5.6.7); parts of a second are dropped.
/// Precondition: `t` lies in the years 1 to 9999.
void append_http_date(std::string& out, ticks t);

/// Reads that form, the only one that may be sent today; nothing for any other text.
std::optional<ticks> parse_http_date(std::string_view text) noexcept;

}  // namespace tablemap::detail
