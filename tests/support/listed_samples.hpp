// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/table_with_index_entities.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::test {

/// An employee that is listed by last name in the department, and by city over all departments.
struct listed_employee {
    std::string department{};
    std::int32_t id{};
    std::optional<std::string> last_name{};
    std::optional<std::string> city{};
    std::int32_t visits{};

    friend bool operator==(listed_employee const&, listed_employee const&) = default;
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::listed_employee> {
    static constexpr auto partition_key = key(part<&test::listed_employee::department>);
    static constexpr auto row_key = key("empid_", part<&test::listed_employee::id>.width(6));
};

namespace tablemap::test {

using listed_table = table_with_index_entities<listed_employee, index_entity<"last_name", &listed_employee::last_name>,
                                               index_entity_in<"city", "ListedByCity", &listed_employee::city>>;

/// The ids of entities, in their order: "1 2".
inline std::string ids_of(std::vector<entity<listed_employee>> const& all) {
    std::string text;
    for (auto const& e : all) text += (text.empty() ? "" : " ") + std::to_string(e.value.id);
    return text;
}

inline std::string named(listed_table const& t, std::string const& department, std::string const& last_name) {
    return ids_of(t.find_all_by<"last_name">(partition(department), last_name));
}
inline std::string in_city(listed_table const& t, std::string const& city) {
    return ids_of(t.find_all_by<"city">(city));
}

/// The faults in a report.
inline std::string summary_of(index_entity_report const& report) {
    static constexpr char const* names[] = {"missing", "pending", "stale", "damaged", "unnamed blob"};
    std::string all;
    for (auto const& f : report.findings)
        all += std::string{all.empty() ? "" : ", "} + names[static_cast<std::size_t>(f.fault)] + " " + f.name +
               (f.repaired ? " repaired" : "");
    for (auto const& row : report.unreadable) all += "; unreadable: " + std::string{row.error.what()};
    return all;
}

}  // namespace tablemap::test
