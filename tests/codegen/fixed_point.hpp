// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/write_schema.hpp"
#include "inspect/infer_schema.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/table.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

/// Types that are generated from an inferred schema, and the rows of its table.
namespace tablemap::test {

using rows_of_table = table<dynamic_entity>;

/// Types read as many rows of a table as schemas are inferred from.
inline std::size_t const most_rows = inspect::survey_options{}.rows + 1;

/// The number of rows that the type reads.
template <class T> std::size_t count_read(store_ptr const& store, std::string const& name) {
    std::size_t count = 0;
    for ([[maybe_unused]] auto const& row : table<T>{store, name}.scan().top(most_rows)) ++count;
    return count;
}

/// Writes the rows that the type reads into another store.
template <class T> void copy(store_ptr const& from, std::string const& name, store_ptr const& to) {
    table<T> const copied{to, name};
    static_cast<void>(copied.create_if_not_exists());
    for (auto const& row : table<T>{from, name}.scan().top(most_rows)) copied.insert(row.value);
}

inline std::string schema_of(store_ptr const& store, std::string const& name, std::string const& space = {}) {
    auto const survey = inspect::survey_table(store, name, {});
    return codegen::write_schema(inspect::infer_schema(survey, {.space = space}).schema);
}

/// Expects that what was written equals what was read, row by row.
inline void expect_equal_rows(store_ptr const& read, std::string const& name, store_ptr const& written) {
    rows_of_table const before{read, name};
    for (auto const& row : rows_of_table{written, name}.scan()) {
        auto const found = before.find(row.value.partition_key, row.value.row_key);
        ASSERT_TRUE(found) << row.value.partition_key << " " << row.value.row_key;
        auto expected = found->value;
        expected.erase("TablemapOperation");
        for (auto const& p : row.value.properties())
            EXPECT_TRUE(expected.find(p.name) && *expected.find(p.name) == p.value) << p.name;
        EXPECT_EQ(row.value.properties().size(), expected.properties().size());
    }
}

/// Copies the rows by all types of their table: the copy has equal rows, and the same schema is inferred from it.
template <class... Types> void expect_fixed_point(store_ptr const& store, std::string const& name) {
    auto const copied = open("embedded::memory:");
    (copy<Types>(store, name, copied), ...);
    expect_equal_rows(store, name, copied);
    EXPECT_EQ(schema_of(copied, name), schema_of(store, name));
}

}  // namespace tablemap::test
