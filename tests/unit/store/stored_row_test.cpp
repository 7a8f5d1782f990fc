// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/stored_row.hpp"

#include "support/answers.hpp"
#include "support/packed_rows.hpp"
#include "support/table_client.hpp"

#include "tablemap/edm/limits.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tablemap::test {
namespace {

stored_row row_of(std::initializer_list<property> properties) {
    stored_row row = entity("p", "r", properties);
    row.timestamp = *ticks::parse("2024-02-29T12:34:56.1234567Z");
    row.etag = etag::of(row.timestamp);
    return row;
}

write_operation insertion(std::string_view body) {
    return {.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = body};
}

TEST(append_row, writes_what_a_reader_takes_for_the_same_row) {
    auto const row = row_of({{"B", true},
                             {"D", 5.0},
                             {"I", std::numeric_limits<double>::infinity()},
                             {"L", std::int64_t{7}},
                             {"S", "\"x\""}});
    response r;
    append_row(r.body, row);
    EXPECT_EQ(entity_in(r), row);
}

TEST(append_row, writes_keys_etag_and_timestamp_beside_what_is_selected) {
    auto row = row_of({{"A", 1}, {"B", 2}});
    std::vector<std::string_view> const select = {"B", "Absent"};
    response r;
    append_row(r.body, row, select);
    row.erase("A");
    EXPECT_EQ(entity_in(r), row);
}

TEST(append_row, writes_etags_of_any_form) {
    auto row = row_of({});
    row.etag = etag{"W/\"17\""};
    response r;
    append_row(r.body, row);
    EXPECT_EQ(entity_in(r).etag, row.etag);
}

TEST(read_body, gives_keys_and_properties) {
    auto const text = body("p", "r", R"("A@odata.type":"Edm.Int64","A":"5","B":null,"odata.etag":"W/\"1\"")");
    auto const row = read_body(insertion(text));
    ASSERT_TRUE(row);
    EXPECT_EQ(*row, stored_row{entity("p", "r", {{"A", std::int64_t{5}}})});
}

TEST(read_body, takes_a_declared_double_as_text) {
    auto const of_text = [](std::string const& text) {
        return read_body(insertion(body("p", "r", R"("D@odata.type":"Edm.Double","D":")" + text + "\"")));
    };
    EXPECT_EQ(*of_text("3"), stored_row{entity("p", "r", {{"D", 3.0}})});
    EXPECT_EQ(*of_text("-2.5e3"), stored_row{entity("p", "r", {{"D", -2500.0}})});
    for (auto const* bad : {"", "x", "3x", " 3", "1e400", "inf", "nan", "0x3"})
        EXPECT_EQ(of_text(bad).error().code(), service_errc::invalid_value_type) << bad;
}

TEST(read_body, gives_the_keys_of_an_erase) {
    auto const row = read_body({.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = any_etag});
    ASSERT_TRUE(row);
    EXPECT_EQ(*row, stored_row{entity("p", "r")});
}

TEST(read_body, names_the_property_at_fault) {
    auto const text = body("p", "r", R"("A@odata.type":"Edm.Int32","A":"five")");
    auto const row = read_body(insertion(text));
    EXPECT_TRUE(failed_with(row, service_errc::invalid_value_type));
    EXPECT_EQ(row.error().member(), "A");
}

TEST(read_body, refuses_a_packed_row) {
    auto const text = packed_rows({{"p", "r", ticks::min()}});
    EXPECT_TRUE(failed_with(read_body(insertion(text)), service_errc::invalid_input));
}

TEST(merge_into, sets_what_comes_and_keeps_the_rest) {
    auto row = row_of({{"A", 1}, {"B", 2}});
    ASSERT_TRUE(merge_into(row, entity("p", "r", {{"B", "text"}, {"C", 3}})));
    EXPECT_EQ(row, row_of({{"A", 1}, {"B", "text"}, {"C", 3}}));
}

TEST(merge_into, leaves_a_row_alone_that_would_grow_too_large) {
    auto row = row_of({});
    for (std::size_t i = 0; i < limits::properties; ++i) row.set("P" + std::to_string(i), true);
    auto const before = row;
    EXPECT_TRUE(failed_with(merge_into(row, entity("p", "r", {{"One", 1}})), service_errc::too_many_properties));
    EXPECT_EQ(row, before);
}

TEST(entity_key_less, orders_by_utf16_code_units) {
    std::string const emoji = "\xF0\x9F\x98\x80", last_of_bmp = "\xEF\xBF\xBF";
    entity_key_less const less;
    EXPECT_TRUE(less({emoji, "z"}, {last_of_bmp, "a"}));
    EXPECT_TRUE(less({"p", emoji}, {"p", last_of_bmp}));
    EXPECT_FALSE(less({"p", "r"}, {"p", "r"}));
}

}  // namespace
}  // namespace tablemap::test
