// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tablemap::inline v0_1::detail {

inline std::span<std::byte const> as_bytes(std::string_view text) noexcept { return std::as_bytes(std::span{text}); }

}  // namespace tablemap::detail
