// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/connection_string.hpp"
#include "tablemap/store/request.hpp"

#include <optional>

namespace tablemap::detail {

/// An error as it came, unless the request was denied: that one with what the credential itself says about why: that a signature has expired or lacks
/// a permission, that a key is wrong or the clock. A denial that the service hides behind "not found" is told as one. It names the account and nothing secret. `served_at`: the time that the
/// answer was given, by the service's clock.
error with_advice(error const& denied, request const& r, storage_account const& account, ticks now,
                  std::optional<ticks> served_at);

}  // namespace tablemap::detail
