// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/error.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/patterns/rolling_span.hpp"
#include "tablemap/patterns/rolling_options.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The names of the tables of a `rolling_table`: a prefix and the digits of a period. A period is known by its first
/// tick.
///
/// The prefix ends in a letter, so that all digits at the end of a name belong to the period: as each kind of period
/// has a number of digits of its own, no name belongs to two rolling tables.
class rolling_names {
public:
    /// Errors (thrown): `library_errc::invalid_table_name`.
    rolling_names(std::string prefix, table_per per);

    std::string const& prefix() const noexcept { return prefix_; }
    table_per per() const noexcept { return per_; }

    ticks start_of(ticks t) const;
    ticks next(ticks start) const;
    bool share_table(ticks a, ticks b) const { return start_of(a) == start_of(b); }

    /// The name of a period's table.
    std::string name_of(ticks start) const;

    /// The name of the table of a time. Errors: `library_errc::value_out_of_range`, with the member's name.
    result<std::string> table_of(ticks t, std::string_view member) const;

    /// The period of a table; nothing for a name that this prefix and kind of period do not give.
    std::optional<ticks> parse(std::string_view name) const;

    /// The same of the digits alone.
    std::optional<ticks> parse_digits(std::string_view digits) const;
    std::string digits_of(ticks start) const;

    /// True if an instant of the period is in the span, or all are.
    bool meets(ticks start, rolling_span const& span) const;
    bool lies_in(ticks start, rolling_span const& span) const;

private:
    std::string prefix_;
    table_per per_;
};

/// The time so long before another one; the first that can be stored if there is none.
ticks time_before(ticks t, tick_duration by) noexcept;

/// True if the period is one whose table is not kept any more.
bool is_over(rolling_names const& names, rolling_options const& o, ticks start);

/// The error of a change that gives an entity a time of another table. It has a class of its own because it leaves
/// `modify` as an exception.
class moved_time final : public error {
public:
    moved_time(std::string_view table, std::string_view member);
};

}  // namespace tablemap::detail
