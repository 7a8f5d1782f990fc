// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// Words of a message that depend on who reads it.
struct error_words {
    std::string_view place = "table";  ///< the kind of what `error::table` names
    std::string_view remedy{};         ///< empty: none
};

/// The text of an error in other words than those of `error::what`.
std::string describe(error const& e, error_words const& words);

}  // namespace tablemap::detail
