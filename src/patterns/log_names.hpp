// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/patterns/rolling_span.hpp"
#include "tablemap/patterns/log_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The names of the files of a log: its own name, the fields of a period and the number of the file in it, as
/// `requests/2014/07/31/1800/000001.log`. A period is known by its first tick.
///
/// What follows the log's name has always the same length, so no name belongs to two logs of one kind of period; and
/// those of hours have a part more than those of days.
class log_names {
public:
    static constexpr std::uint32_t last_number = 999'999;

    /// Errors (thrown): `service_errc::invalid_resource_name`.
    log_names(std::string const& container, std::string name, log_per per);

    ticks start_of(ticks t) const;
    ticks next(ticks start) const;

    /// The beginning of the names of a period's files.
    std::string folder(ticks start) const;

    /// Precondition: `number` is 1 to `last_number`.
    std::string file(ticks start, std::uint32_t number) const;

    struct place {
        ticks start{};
        std::uint32_t number = 0;
    };
    /// The period and the number of a file; nothing for a name that `file` does not give.
    std::optional<place> parse(std::string_view file) const;

    /// True if an instant of the period is in the span.
    bool meets(ticks start, rolling_span const& span) const;

    /// Beginnings of names, in order, among which are all files of a span; see `log_reader::files`.
    std::vector<std::string> prefixes(rolling_span const& span) const;

private:
    std::string folder_of_day(ticks t) const;

    std::string name_;
    log_per per_;
};

}  // namespace tablemap::detail
