// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ascii.hpp"
#include "tablemap/base/ticks.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The fields of the calendar, in UTC, as digits in names.
namespace tablemap::inline v0_1::detail {

/// The fields of the calendar that a name tells.
struct calendar_time {
    std::chrono::year_month_day date{};
    std::chrono::hours hour{0};

    explicit calendar_time(ticks t) {
        auto const day = std::chrono::floor<std::chrono::days>(t.time());
        date = day;
        hour = std::chrono::floor<std::chrono::hours>(t.time() - day);
    }

    unsigned year() const { return static_cast<unsigned>(static_cast<int>(date.year())); }
    unsigned month() const { return static_cast<unsigned>(date.month()); }
    unsigned day() const { return static_cast<unsigned>(date.day()); }
};

inline void append_number(std::string& to, unsigned value, unsigned width) {
    auto const text = std::to_string(value);
    to.append(width - text.size(), '0').append(text);
}

/// Precondition: the text has so many digits.
inline unsigned take_number(std::string_view& from, std::size_t width) {
    unsigned n = 0;
    for (char const c : from.substr(0, width)) n = n * 10 + static_cast<unsigned>(c - '0');
    from.remove_prefix(std::min(width, from.size()));
    return n;
}

/// The time that these fields name; nothing if there is none, or none that can be stored.
inline std::optional<ticks> time_of_fields(unsigned year, unsigned month, unsigned day, unsigned hour) {
    std::chrono::year_month_day const date{std::chrono::year{static_cast<int>(year)}, std::chrono::month{month},
                                           std::chrono::day{day}};
    if (!date.ok() || hour >= 24) return std::nullopt;
    ticks const start{std::chrono::sys_days{date} + std::chrono::hours{hour}};
    return start.storable() ? std::optional{start} : std::nullopt;
}

}  // namespace tablemap::detail
