// SPDX-License-Identifier: Apache-2.0
//
// Reads the rows of `inferred_rows` with the types that are generated from the schemas inferred from them.

#include "codegen/fixed_point.hpp"

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

tablemap::store_ptr stored() { return tablemap::open("embedded:" TABLEMAP_INFERRED_ROWS); }

template <class T> std::size_t count_read(std::string const& name) {
    return tablemap::test::count_read<T>(stored(), name);
}

template <class... Types> void expect_fixed_point(std::string const& name) {
    tablemap::test::expect_fixed_point<Types...>(stored(), name);
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
