// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/patterns/index_elsewhere.hpp"
#include "tablemap/patterns/index_relay.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

/// Types of tests of indexes in other partitions and tables.
namespace tablemap::test {

/// With two indexes in the partition, one of them unique, and one in another table.
struct clerk {
    std::string office{};
    std::int32_t id{};
    std::string name{};
    std::optional<std::string> email{};
    std::int32_t badge{};

    friend bool operator==(clerk const&, clerk const&) = default;
};

inline constexpr char const* table_by_email = "ClerksByEmail";

/// With an index in other partitions of its own table, which holds some members only.
struct device {
    std::string site{};
    std::int32_t number{};
    std::string model{};
    std::int32_t year{};
    bool retired{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::clerk> {
    static constexpr auto partition_key = key(part<&test::clerk::office>);
    static constexpr auto row_key = key("clerk_", part<&test::clerk::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_badge">(key("badge_", part<&test::clerk::badge>.width(4))).include<>(),
                          index<"by_name">(key("name_", part<&test::clerk::name>.escaped())),
                          index_in<"by_email", "ClerksByEmail">(key(part<&test::clerk::email>), key("by_email")));
};
template <> struct tablemap::mapping<tablemap::test::device> {
    static constexpr auto partition_key = key("site_", part<&test::device::site>);
    static constexpr auto row_key = key("device_", part<&test::device::number>.width(4));
    static constexpr auto indexes = tablemap::indexes(
        index_in<"by_model">(key("models_", part<&test::device::model>),
                             key("model_", part<&test::device::year>.width(4)))
            .include<&test::device::retired>(),
        index_in<"retired", "RetiredDevices">(key("all"), key("retired")).include<>().where(&test::device::retired));
};

namespace tablemap::test {

using clerks_by_email = index_elsewhere<clerk, "by_email">;
using devices_by_model = index_elsewhere<device, "by_model">;

/// The rows by e-mail address as (address, row key), with the clerk that each is a copy of.
using email_rows = std::map<std::pair<std::string, std::string>, clerk>;

/// The rows that the entities imply.
inline email_rows implied_by(table<clerk> const& clerks) {
    email_rows all;
    for (auto q = clerks.scan(); auto const& e : q) {
        if (!e.value.email) continue;
        auto const digits = std::to_string(e.value.id);
        all[{*e.value.email,
             "by_email_" + e.value.office + " !_clerk_" + std::string(6 - digits.size(), '0') + digits}] = e.value;
    }
    return all;
}

/// The rows that the table of the index holds.
inline email_rows rows_of_index(table<clerk> const& clerks, store_ptr const& s) {
    std::set<std::pair<std::string, std::string>> keys;
    for (auto q = table<dynamic_entity>{s, table_by_email}.scan(); auto const& e : q)
        keys.emplace(e.value.partition_key, e.value.row_key);
    email_rows all;
    for (auto const& key : keys)
        for (auto q = clerks_by_email{clerks}.copies(partition(key.first)); auto const& e : q)
            if (key.second.ends_with("_clerk_" + std::string(6 - std::to_string(e.value.id).size(), '0') +
                                     std::to_string(e.value.id)) &&
                key.second.starts_with("by_email_" + e.value.office + " !"))
                all[key] = e.value;
    return all;
}

inline std::size_t intents_in(store_ptr const& s, std::string const& table_name) {
    std::size_t count = 0;
    for (auto q = table<dynamic_entity>{s, table_name}.scan(); auto const& e : q)
        if (e.value.row_key.starts_with("~index_")) ++count;
    return count;
}

}  // namespace tablemap::test
