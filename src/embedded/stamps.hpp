// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/connection.hpp"

#include "tablemap/base/ticks.hpp"

#include <cstddef>
#include <functional>

namespace tablemap::inline v0_1::detail::embedded {

/// The present time by the clock that was given to the store, or by the system's. Errors (thrown): `store_errc::failed`
/// if that function throws, or tells a time that cannot be stored or is so late that the stamps would soon be used up.
ticks read_clock(std::function<ticks()> const& now);

/// The first of `count` stamps in a row, all above every stamp that was ever given out for this file. Inside a write
/// transaction.
ticks take_stamps(connection& c, ticks now, std::size_t count);

}  // namespace tablemap::detail::embedded
