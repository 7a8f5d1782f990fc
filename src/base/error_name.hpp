// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <system_error>

namespace tablemap::inline v0_1::detail {

/// The name of a code of tablemap's: of the service's own codes as the service spells them ("unknown" has none there),
/// else the enumerator's. Empty for any other code.
std::string_view error_name(std::error_code code) noexcept;

}  // namespace tablemap::detail
