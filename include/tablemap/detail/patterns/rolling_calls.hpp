// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/rolling_names.hpp"
#include "tablemap/detail/table/service_calls.hpp"
#include "tablemap/store/store.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The part of a rolling table that does not depend on the type of its rows.
struct rolling_state {
    rolling_names names;
    store_ptr store;  ///< on which tables are created as they are needed
    rolling_options options;
};

/// Errors (thrown): `library_errc::invalid_table_name`; `value_out_of_range` for a negative `rolling_options::keep`.
std::shared_ptr<rolling_state const> make_rolling_state(store_ptr s, std::string prefix, table_per per,
                                                        rolling_options&& o);

/// Drops the tables of the periods that ended `keep` ago or before; without it `rolling_options::keep` ago.
/// Errors: `library_errc::value_out_of_range` for a negative duration, or one that is shorter than the declared one;
/// `unsupported` if none was declared.
service_call<retention_report> retain_call(rolling_state const& s, std::optional<tick_duration> keep, retain_options o);

/// The periods of the tables that are there and meet a span, in order.
task<result<std::vector<ticks>>> existing_periods(rolling_names names, rolling_span span);
service_call<std::vector<ticks>> list_call(rolling_state const& s, rolling_span const& span);

/// The blocking driver for them: compiled once.
result<retention_report> run_retention(rolling_state const& s, std::optional<tick_duration> keep, retain_options o,
                                       call_options const& with);
result<std::vector<ticks>> list_periods(rolling_state const& s, rolling_span const& span, call_options const& with);

}  // namespace tablemap::detail
