// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/incoming.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail::serve {

/// A parameter that is a number; nothing if it is missing. Refuses other texts.
std::optional<std::size_t> number_in(parameters const& q, std::string_view name);

/// A text of a store in the form of a header and of a part of a URL, and back. Refuses texts that were not made so.
std::string encoded_token(std::string_view text);
std::string decoded_token(std::string_view token);

[[noreturn]] void refuse_token();

}  // namespace tablemap::detail::serve
