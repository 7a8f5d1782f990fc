// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/embedded/store.hpp"
#include "tablemap/table/table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// Rows that tests of queries put into tables.
struct reading {
    std::string site{};
    std::int32_t number{};
    std::int32_t level{};
    std::string note{};

    friend bool operator==(reading const&, reading const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::reading> {
    static constexpr auto partition_key = key(part<&test::reading::site>);
    static constexpr auto row_key = key("r_", part<&test::reading::number>.width(4));
};

namespace tablemap::test {

inline constexpr char const* readings_table = "Readings";

/// A store in memory with an empty table.
inline store_ptr store_of_readings() {
    auto s = value_or_throw(open_embedded({.path = ":memory:"}));
    table<reading>{s, readings_table}.create();
    return s;
}

/// Inserts readings [from, to) of a site, each at the level of its number.
inline void put_readings(store_ptr const& s, std::string const& site, std::int32_t from, std::int32_t to) {
    table<reading> const t{s, readings_table};
    for (auto n = from; n < to; ++n) t.insert({.site = site, .number = n, .level = n, .note = "n"});
}

inline std::vector<std::int32_t> counting(std::int32_t from, std::int32_t to) {
    std::vector<std::int32_t> all;
    for (auto i = from; i < to; ++i) all.push_back(i);
    return all;
}

/// "site number" of each.
template <class Range> std::vector<std::string> names_of(Range&& range) {
    std::vector<std::string> names;
    for (auto const& e : range) names.push_back(e.value.site + " " + std::to_string(e.value.number));
    return names;
}

template <class Range> std::vector<std::int32_t> numbers_of(Range&& range) {
    std::vector<std::int32_t> numbers;
    for (auto const& e : range) numbers.push_back(e.value.number);
    return numbers;
}

}  // namespace tablemap::test
