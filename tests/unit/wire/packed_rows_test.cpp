// SPDX-License-Identifier: Apache-2.0
#include "wire/packed_rows.hpp"

#include "support/answers.hpp"
#include "support/packed_rows.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::failed_with;

constexpr row_heading heading{"p\xC3\xA9", "r\"1", ticks{638'000'000'000'000'001}};
constexpr std::string_view properties = R"(,"Age":34,"Name":"D\"on","N@odata.type":"Edm.Int64","N":"7")";

std::string packed(std::initializer_list<row_heading> headings, std::string_view text = properties) {
    return test::packed_rows(headings, text);
}

stored_entity expected_row() {
    stored_entity e{dynamic_entity{"p\xC3\xA9", "r\"1"}};
    e.timestamp = heading.stamp;
    e.etag = etag::of(heading.stamp);
    e.set("Age", 34), e.set("Name", "D\"on"), e.set("N", std::int64_t{7});
    return e;
}

/// Takes everything as properties, and keeps the names and texts until the entity has ended, as sinks may.
struct listing_sink final : entity_sink {
    std::vector<std::pair<std::string_view, std::string_view>> kept{};
    std::string text{};

    bool begin() override { return true; }
    bool property(std::string_view name, json_token const& value) override {
        kept.emplace_back(name, value.text);
        return true;
    }
    bool end() override {
        for (auto const& [name, value] : kept) text.append(name).append("=").append(value).append(";");
        return true;
    }
};

TEST(packed_rows, are_read_as_they_were_written) {
    auto json = packed({heading, heading});
    EXPECT_EQ(read_dynamic_page(json).value(), (std::vector{expected_row(), expected_row()}));
}

TEST(packed_rows, hold_one_row_of_a_point_read) {
    auto json = packed({heading});
    EXPECT_EQ(read_dynamic(json).value(), expected_row());
    auto two = packed({heading, heading});
    EXPECT_TRUE(failed_with(read_dynamic(two), library_errc::malformed_response));
    auto none = packed({});
    EXPECT_TRUE(failed_with(read_dynamic(none), library_errc::malformed_response));
}

TEST(packed_rows, may_be_none_in_a_page) {
    auto json = packed({});
    EXPECT_EQ(read_dynamic_page(json).value().size(), 0U);
}

TEST(packed_rows, may_have_no_properties) {
    auto json = packed({heading}, "");
    EXPECT_EQ(read_dynamic(json).value().row_key, "r\"1");
}

TEST(packed_rows, tell_their_keys) {
    auto json = packed({heading});
    auto const keys = read_keys(json);
    ASSERT_TRUE(keys);
    EXPECT_EQ(keys->partition_key, "p\xC3\xA9");
    EXPECT_EQ(keys->row_key, "r\"1");
}

TEST(packed_rows, give_a_sink_that_takes_no_heading_the_properties_of_a_json_row) {
    auto json = packed({heading}, R"(,"Age":"34")");
    listing_sink sink;
    ASSERT_TRUE(read_page(json, sink));
    EXPECT_EQ(sink.text, "odata.etag=" + etag::of(heading.stamp).text() +
                             ";PartitionKey=p\xC3\xA9;RowKey=r\"1;Timestamp=" + heading.stamp.text() + ";Age=34;");
}

// ---- hostile text ---------------------------------------------------------------------------------------------------

TEST(packed_rows, that_are_cut_off_anywhere_are_refused) {
    auto const whole = packed({heading, heading});
    for (std::size_t size = 1; size < whole.size(); ++size) {
        auto cut = whole.substr(0, size);
        EXPECT_TRUE(failed_with(read_dynamic_page(cut), library_errc::malformed_response)) << size;
    }
}

TEST(packed_rows, that_were_not_ended_are_refused) {
    std::string text;
    begin_packed(text);
    end_packed_row(text, begin_packed_row(text, heading));
    EXPECT_TRUE(failed_with(read_dynamic_page(text), library_errc::malformed_response));
}

TEST(packed_rows, with_a_byte_that_was_changed_are_read_or_refused_without_harm) {
    auto const whole = packed({heading, heading});
    for (std::size_t at = 1; at < whole.size(); ++at)
        for (char const byte : {'\x00', '\x01', '\x7F', '\xFF'}) {
            auto changed = whole;
            changed[at] = byte;
            auto const rows = read_dynamic_page(changed);
            EXPECT_TRUE(rows ? rows->size() == 2 : !rows.error().details().reason.empty()) << at;
        }
}

TEST(packed_rows, with_keys_that_are_no_utf8_are_refused) {
    for (row_heading const& h : {row_heading{"\xC3", "r", heading.stamp}, row_heading{"p", "\xC3", heading.stamp},
                                 row_heading{"\xC3", "\xA9", heading.stamp}}) {  // together they would be a character
        auto json = packed({h});
        EXPECT_TRUE(failed_with(read_dynamic(json), library_errc::malformed_response));
        EXPECT_FALSE(read_keys(json));
    }
}

TEST(packed_rows, with_a_stamp_that_is_no_time_are_refused) {
    for (auto const stamp : {ticks{-1}, ticks{0}, ticks::max() + tick_duration{1}}) {
        auto json = packed({{"p", "r", stamp}});
        EXPECT_TRUE(failed_with(read_dynamic(json), library_errc::malformed_response));
    }
}

TEST(packed_rows, with_properties_that_are_no_members_of_an_object_are_refused) {
    for (auto const* text : {"x", ",", R"("Age":34)", R"(,"Age":34,)", R"(,"Age":34})", R"(,"Age")", ",\"Age\":\"x"}) {
        auto json = packed({heading}, text);
        EXPECT_TRUE(failed_with(read_dynamic_page(json), library_errc::malformed_response)) << text;
    }
}

TEST(packed_rows, whose_properties_repeat_a_key_are_refused) {
    for (auto const* text : {R"(,"PartitionKey":"q")", R"(,"RowKey":"r")"}) {
        auto json = packed({heading}, text);
        EXPECT_TRUE(failed_with(read_dynamic(json), library_errc::malformed_response)) << text;
    }
}

}  // namespace
