// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The error of an option that cannot be used.
inline error out_of_range(std::string_view option, std::string_view reason) {
    return error{library_errc::value_out_of_range, {.reason = std::string{reason}, .member = std::string{option}}};
}

}  // namespace tablemap::detail
