// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// Inside the embedded store errors travel as exceptions, so that a transaction unwinds; `execute` catches every one.
namespace tablemap::detail::embedded {

[[noreturn]] inline void refuse(std::error_code code, std::string reason = {}, std::string_view member = {}) {
    throw error{code, {.reason = std::move(reason), .member = std::string{member}}};
}

}  // namespace tablemap::detail::embedded
