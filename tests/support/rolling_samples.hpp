// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/rolling_table.hpp"
#include "tablemap/table/service.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tablemap::test {

struct sign_in {
    std::string user{};
    ticks at{};
    std::int32_t number{};
    bool success = false;

    friend bool operator==(sign_in const&, sign_in const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::sign_in> {
    static constexpr auto partition_key = key(part<&test::sign_in::user>);
    static constexpr auto row_key = key("at_", part<&test::sign_in::number>.width(6));
};

namespace tablemap::test {

using daily_sign_ins = rolling_table<sign_in, &sign_in::at, table_per::day>;

/// A day of 2014, counted from the 1st of January, which is 0, and hours of it.
inline ticks day_of_2014(int day, int hour = 0) {
    return std::chrono::sys_days{std::chrono::year{2014} / 1 / 1} + std::chrono::days{day} + std::chrono::hours{hour};
}

/// Options of which `now` is the beginning of a day.
inline rolling_options on_day(int day, std::optional<tick_duration> keep = {}) {
    return {.keep = keep, .now = [day] { return day_of_2014(day); }};
}

/// The numbers of the entities of a range, in its order.
template <class Range> std::vector<int> numbers_in(Range& range) {
    std::vector<int> all;
    for (auto const& e : range) all.push_back(e.value.number);
    return all;
}
template <class Range> std::vector<int> numbers_in(Range const& range) {
    auto unread = range;
    return numbers_in(unread);
}

inline std::vector<std::string> tables_in(store_ptr s) { return table_service{std::move(s)}.tables(); }

}  // namespace tablemap::test
