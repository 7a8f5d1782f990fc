// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ticks_text.hpp"
#include "tablemap/edm/etag.hpp"

namespace tablemap::inline v0_1::detail {

/// As `etag::of` for the time of this text.
etag etag_at(ticks_text const& time);

}  // namespace tablemap::detail
