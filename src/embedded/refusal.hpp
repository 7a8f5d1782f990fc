// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/result.hpp"

#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// Inside the embedded store errors travel as exceptions, so that a transaction unwinds; `execute` catches every one.
namespace tablemap::inline v0_1::detail::embedded {

[[noreturn]] inline void refuse(std::error_code code, std::string reason = {}, std::string_view member = {}) {
    throw error{code, {.reason = std::move(reason), .member = std::string{member}}};
}

/// Throws the error of a check that failed.
inline void check(result<void> const& r) {
    if (!r) throw r.error();
}

}  // namespace tablemap::detail::embedded
