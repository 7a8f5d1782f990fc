// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/key_shapes.hpp"

#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::inspect {

/// Recognises the parts of keys by the texts of the keys alone. Each of them can be read by the result.
///
/// \pre there is at least one text
key_shape find_parts(std::vector<std::string_view> const& texts, std::string_view beginning);

/// The shape of keys about which nothing is recognised: text behind `beginning`.
key_shape plain_shape(std::string_view beginning);

/// True for the characters that stand between the parts of keys.
bool is_separator(char c) noexcept;

}  // namespace tablemap::inspect
