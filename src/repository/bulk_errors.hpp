// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"

/// What an error of one request means for all that is still to be sent.
namespace tablemap::detail {

/// True for a stop and for the deadline.
inline bool ends_the_call(error const& e) noexcept {
    return e.code() == library_errc::cancelled || e.code() == library_errc::deadline_exceeded;
}

}  // namespace tablemap::detail
