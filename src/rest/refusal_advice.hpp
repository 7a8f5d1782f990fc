// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/rest/connection_string.hpp"
#include "tablemap/store/request.hpp"

#include <optional>

namespace tablemap::inline v0_1::detail {

/// Adds to the error of a denied request the reason that its credential shows: a signature has expired or lacks a
/// permission, a key or the clock is wrong. Other errors stay as they are. A denial that the service hides behind "not
/// found" becomes one. The text names the account and nothing secret. `served_at` is the time of the response by the
/// service's clock.
error with_advice(error const& denied, request const& r, storage_account const& account, ticks now,
                  std::optional<ticks> served_at);

}  // namespace tablemap::detail
