// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The error of a request that is not sent because the service would refuse it.
inline failure refuse(service_errc code, char const* reason, std::string_view member = {}) {
    return fail(code, {.reason = reason, .member = std::string{member}});
}

}  // namespace tablemap::detail
