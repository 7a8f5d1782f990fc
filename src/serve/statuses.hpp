// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tablemap::inline v0_1::detail::serve {

/// The reason phrase of a status (RFC 9110, section 15).
std::string_view reason_of(int status) noexcept;

}  // namespace tablemap::detail::serve
