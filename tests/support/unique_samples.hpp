// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/table_with_unique_values.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tablemap::test {

/// An account of any tenant, whose e-mail address and login no other account has.
struct account {
    std::string tenant{};
    std::int64_t number{};
    std::optional<std::string> email{};
    std::optional<std::string> login{};
    std::int32_t visits{};

    friend bool operator==(account const&, account const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::account> {
    static constexpr auto partition_key = key(part<&test::account::tenant>);
    static constexpr auto row_key = key("account_", part<&test::account::number>.width(8));
};

namespace tablemap::test {

using account_table =
    table_with_unique_values<account, unique_value<"email", &account::email>, unique_value<"login", &account::login>>;

/// The fault in a report, and the name of its value.
inline std::string summary_of(unique_report const& report) {
    static constexpr char const* names[] = {"pending",     "unconfirmed", "abandoned",
                                            "unprotected", "held_twice",  "guard"};
    std::string all;
    for (auto const& f : report.findings)
        all += std::string{all.empty() ? "" : ", "} + names[static_cast<std::size_t>(f.fault)] +
               (f.name.empty() ? "" : " " + f.name) + (f.repaired ? " repaired" : "");
    for (auto const& row : report.unreadable) all += "; unreadable: " + std::string{row.error.what()};
    return all;
}

}  // namespace tablemap::test
