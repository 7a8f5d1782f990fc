// SPDX-License-Identifier: Apache-2.0
//
// Reads the rows of `inferred_rows` with the types that are generated from the schemas inferred from them.

#include "inspect/infer_schema.hpp"

#include "codegen/write_schema.hpp"

#include <inferred/claims.hpp>
#include <inferred/devices.hpp>
#include <inferred/employees.hpp>
#include <inferred/events.hpp>
#include <inferred/foreign.hpp>
#include <inferred/keys.hpp>
#include <inferred/measurements.hpp>
#include <inferred/notes.hpp>
#include <inferred/parts.hpp>
#include <inferred/personnel.hpp>
#include <inferred/samples.hpp>
#include <inferred/sessions.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using rows_of_table = tablemap::table<tablemap::dynamic_entity>;

tablemap::store_ptr stored() { return tablemap::open("embedded:" TABLEMAP_INFERRED_ROWS); }

/// The number of rows that the type reads.
template <class T> std::size_t count_read(std::string const& name) {
    std::size_t count = 0;
    for ([[maybe_unused]] auto const& row : tablemap::table<T>{stored(), name}.scan()) ++count;
    return count;
}

/// Writes the rows that the type reads into another store.
template <class T> void copy(std::string const& name, tablemap::store_ptr const& to) {
    tablemap::table<T> const copied{to, name};
    static_cast<void>(copied.create_if_not_exists());
    for (auto const& row : tablemap::table<T>{stored(), name}.scan()) copied.insert(row.value);
}

std::string schema_of(tablemap::store_ptr const& store, std::string const& name) {
    auto const survey = tablemap::inspect::survey_table(store, name, {});
    return tablemap::codegen::write_schema(tablemap::inspect::infer_schema(survey, {}).schema);
}

/// Expects that what was written equals what was read, row by row.
void expect_equal_rows(std::string const& name, tablemap::store_ptr const& copy) {
    rows_of_table const before{stored(), name};
    for (auto const& row : rows_of_table{copy, name}.scan()) {
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
template <class... Types> void expect_fixed_point(std::string const& name) {
    auto const store = tablemap::open("embedded::memory:");
    (copy<Types>(name, store), ...);
    expect_equal_rows(name, store);
    EXPECT_EQ(schema_of(store, name), schema_of(stored(), name));
}

TEST(inferred_schema, reads_every_row) {
    EXPECT_EQ(count_read<inferred::claims::claim>("Claims"), 40u);
    EXPECT_EQ(count_read<inferred::devices::device_v3>("Devices"), 40u);
    EXPECT_EQ(count_read<inferred::devices::device>("Devices"), 40u);
    EXPECT_EQ(count_read<inferred::employees::employee>("Employees"), 40u);
    EXPECT_EQ(count_read<inferred::employees::department>("Employees"), 40u);
    EXPECT_EQ(count_read<inferred::events::event>("Events"), 40u);
    EXPECT_EQ(count_read<inferred::foreign::foreign>("Foreign"), 40u);
    EXPECT_EQ(count_read<inferred::keys::key>("Keys"), 40u);
    EXPECT_EQ(count_read<inferred::measurements::measurement>("Measurements"), 40u);
    EXPECT_EQ(count_read<inferred::notes::note>("Notes"), 40u);
    EXPECT_EQ(count_read<inferred::samples::sample>("Samples"), 40u);
    EXPECT_EQ(count_read<inferred::sessions::session>("Sessions"), 40u);
}

TEST(inferred_schema, reads_encrypted_rows_without_a_key) {
    EXPECT_EQ(count_read<inferred::parts::pa_rt>("Parts"), 40u);
    EXPECT_EQ(count_read<inferred::personnel::personnel>("Personnel"), 40u);
}

TEST(inferred_schema, is_a_fixed_point) {
    expect_fixed_point<inferred::claims::claim>("Claims");
    expect_fixed_point<inferred::devices::device_v3, inferred::devices::device>("Devices");
    expect_fixed_point<inferred::employees::employee, inferred::employees::department>("Employees");
    expect_fixed_point<inferred::events::event>("Events");
    expect_fixed_point<inferred::foreign::foreign>("Foreign");
    expect_fixed_point<inferred::keys::key>("Keys");
    expect_fixed_point<inferred::measurements::measurement>("Measurements");
    expect_fixed_point<inferred::notes::note>("Notes");
    expect_fixed_point<inferred::samples::sample>("Samples");
    expect_fixed_point<inferred::sessions::session>("Sessions");
}

}  // namespace
