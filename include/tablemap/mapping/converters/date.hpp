// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/edm/converter.hpp"

#include <chrono>

namespace tablemap::inline v0_1 {

/// Stores a date as Edm.DateTime, midnight UTC of that day, so that dates sort and can be compared in filters.
///
/// Writing refuses a date that does not exist, such as the 30th of February, or outside the years 1601 to 9999
/// (`library_errc::value_out_of_range`). Reading refuses a time that is not midnight (`library_errc::type_mismatch`).
template <> struct converter<std::chrono::year_month_day> {
    using stored = ticks;
    static constexpr bool keeps_order = true;

    static result<stored> to_property(std::chrono::year_month_day const& date);
    static result<std::chrono::year_month_day> from_property(stored const& midnight);
};

}  // namespace tablemap
