// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include <cmath>
#include <limits>

namespace tablemap::inline v0_1::testing::contract {
namespace {

using namespace std::string_literals;

class seam_values : public seam {
protected:
    /// Writes a value and returns it as it is read back.
    property_value round_trip(property_value const& v) {
        EXPECT_TRUE(carried_out(table().write(write_kind::upsert_replace, entity("p", "r", {{"V", v}}))));
        auto const got = entity_in(table().get("p", "r"));
        auto const* back = got.find("V");
        EXPECT_NE(back, nullptr);
        return back ? *back : property_value{};
    }

    void expect_kept(property_value const& v) { EXPECT_EQ((property{"V", round_trip(v)}), (property{"V", v})); }

    /// Writes members as JSON and returns the properties that are read back.
    std::vector<property> stored(std::string_view members) {
        auto const sent = body("p", "r", members);
        EXPECT_TRUE(carried_out(table().write_body(write_kind::upsert_replace, "p", "r", sent))) << members;
        return properties_of(entity_in(table().get("p", "r")));
    }

    response insert_members(std::string_view members) {
        return table().write_body(write_kind::insert, "p", "r", body("p", "r", members));
    }
};
TABLEMAP_CONTRACT_SUITE(seam_values);

// --- round trips -----------------------------------------------------------------------------------------------------

TEST_P(seam_values, strings_come_back_unchanged) {
    for (auto const& text :
         {""s, "plain"s, " blanks at both ends "s, "quote \" backslash \\ slash / comma ,"s, "line\nbreak\ttab"s,
          "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"s, "@odata.type"s, "{\"a\":[1]}"s})
        expect_kept(text);
}

TEST_P(seam_values, both_booleans_come_back) {
    expect_kept(true);
    expect_kept(false);
}

TEST_P(seam_values, integers_come_back_at_their_extremes) {
    for (auto const v : {std::numeric_limits<std::int32_t>::min(), -1, 0, 1, std::numeric_limits<std::int32_t>::max()})
        expect_kept(std::int32_t{v});
    for (auto const v : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                         std::int64_t{9007199254740993}, std::numeric_limits<std::int64_t>::max()})
        expect_kept(v);
}

TEST_P(seam_values, doubles_come_back_bit_for_bit) {
    using real = std::numeric_limits<double>;
    for (auto const v : {0.0, 5.0, 0.1, -2.25, 1e21, 1e-7, real::min(), real::denorm_min(), real::max(), real::lowest(),
                         real::infinity(), -real::infinity()})
        expect_kept(v);
    auto const back = round_trip(real::quiet_NaN());
    ASSERT_TRUE(std::holds_alternative<double>(back));
    EXPECT_TRUE(std::isnan(std::get<double>(back)));
}

TEST_P(seam_values, negative_zero_keeps_its_sign) {
    TABLEMAP_SKIP_IF(loses_negative_zero);
    auto const back = round_trip(-0.0);
    ASSERT_TRUE(std::holds_alternative<double>(back));
    EXPECT_TRUE(std::signbit(std::get<double>(back)));
}

TEST_P(seam_values, times_come_back_to_the_tick_from_1601_to_9999) {
    auto const usual = ticks::parse("2024-02-29T12:34:56.1234567Z").value();
    for (auto const t : {ticks::min(), ticks::min() + tick_duration{1}, usual, ticks::max()}) expect_kept(t);
}

TEST_P(seam_values, guids_come_back_unchanged) {
    expect_kept(guid{});
    expect_kept(guid::from_random(0x0123456789ABCDEF, 0xFEDCBA9876543210));
}

TEST_P(seam_values, binaries_come_back_unchanged) {
    for (std::size_t const size : {0u, 1u, 2u, 3u, 256u, 65536u}) {
        bytes b(size);
        for (std::size_t i = 0; i < size; ++i) b[i] = static_cast<std::byte>(i * 7);
        expect_kept(b);
    }
}

TEST_P(seam_values, names_beyond_ascii_and_differing_in_case_are_kept_apart) {
    auto const sent = entity("p", "r", {{"name", 1}, {"Name", 2}, {"_", 3}, {"\xC3\x84ra_1", 4}});
    ASSERT_TRUE(carried_out(table().insert(sent)));
    EXPECT_EQ(properties_of(entity_in(table().get("p", "r"))), properties_of(sent));
}

TEST_P(seam_values, every_type_survives_a_merge_of_something_else) {
    auto const all = entity("p", "r",
                            {{"B", true},
                             {"C", bytes(5)},
                             {"D", 2.0},
                             {"E", std::numeric_limits<double>::infinity()},
                             {"G", guid{}},
                             {"I", 7},
                             {"L", std::int64_t{7}},
                             {"S", "\x01\"\\,\xF0\x9F\x98\x80"s},
                             {"T", ticks::min()}});
    ASSERT_TRUE(carried_out(table().insert(all)));
    ASSERT_TRUE(carried_out(table().write(write_kind::merge, entity("p", "r", {{"Z", 1}}), "*")));
    auto expected = properties_of(all);
    expected.push_back({"Z", 1});
    EXPECT_EQ(properties_of(entity_in(table().get("p", "r"))), expected);
}

// --- types of values -------------------------------------------------------------------------------------------------

TEST_P(seam_values, an_annotation_may_stand_before_or_behind_or_far_from_its_property) {
    std::vector<property> const expected = {{"A", std::int64_t{5}}, {"B", "x"}};
    EXPECT_EQ(stored(R"("A@odata.type":"Edm.Int64","A":"5","B":"x")"), expected);
    EXPECT_EQ(stored(R"("A":"5","A@odata.type":"Edm.Int64","B":"x")"), expected);
    EXPECT_EQ(stored(R"("A":"5","B":"x","A@odata.type":"Edm.Int64")"), expected);
    EXPECT_EQ(stored(R"("A@odata.type":"Edm.Int64","B@odata.type":"Edm.String","B":"x","A":"5")"), expected);
}

TEST_P(seam_values, every_type_may_be_annotated) {
    EXPECT_EQ(stored(R"("A@odata.type":"Edm.String","A":"t","B@odata.type":"Edm.Boolean","B":true,)"
                     R"("C@odata.type":"Edm.Int32","C":5,"D@odata.type":"Edm.Double","D":5)"),
              (std::vector<property>{{"A", "t"}, {"B", true}, {"C", 5}, {"D", 5.0}}));
}

TEST_P(seam_values, a_number_without_annotation_is_told_by_its_token) {
    EXPECT_EQ(stored(R"("A":5,"B":5.5,"C":-2147483648)"),
              (std::vector<property>{{"A", 5}, {"B", 5.5}, {"C", std::numeric_limits<std::int32_t>::min()}}));
}

TEST_P(seam_values, escapes_in_json_are_read) {
    EXPECT_EQ(stored(R"("A":"\u0041\u00e4\ud83d\ude00\/\"")"),
              (std::vector<property>{{"A", "A\xC3\xA4\xF0\x9F\x98\x80/\""}}));
}

// --- refused values --------------------------------------------------------------------------------------------------

TEST_P(seam_values, a_value_that_contradicts_its_annotation_is_refused) {
    TABLEMAP_SKIP_IF(accepts_any_value_text);
    for (auto const* members :
         {R"("A@odata.type":"Edm.Int32","A":"5")", R"("A@odata.type":"Edm.Int32","A":2147483648)",
          R"("A@odata.type":"Edm.Int32","A":1.5)", R"("A@odata.type":"Edm.Int64","A":"abc")",
          R"("A@odata.type":"Edm.Int64","A":"9223372036854775808")", R"("A@odata.type":"Edm.Int64","A":5)",
          R"("A@odata.type":"Edm.Boolean","A":"true")", R"("A@odata.type":"Edm.Double","A":"INF")",
          R"("A@odata.type":"Edm.DateTime","A":"2024-01-01")",
          R"("A@odata.type":"Edm.DateTime","A":"2024-02-30T00:00:00Z")",
          R"("A@odata.type":"Edm.Guid","A":"{c9da6455-213d-42c9-9a79-3e9149a57833}")",
          R"("A@odata.type":"Edm.Binary","A":"_-8=")", R"("A@odata.type":"Edm.Binary","A":"AAA")",
          R"("A@odata.type":"Edm.String","A":5)", R"("A":2147483648)"})
        EXPECT_TRUE(refused_because_of(insert_members(members), service_errc::invalid_value_type, "A")) << members;
}

TEST_P(seam_values, a_type_that_the_service_lacks_is_refused) {
    EXPECT_TRUE(
        refused_because_of(insert_members(R"("A@odata.type":"Edm.Single","A":1.5)"), service_errc::invalid_input, "A"));
}

TEST_P(seam_values, times_outside_1601_to_9999_are_refused) {
    TABLEMAP_SKIP_IF(accepts_any_value_text);
    for (auto const* text : {"1600-12-31T23:59:59.9999999Z", "0001-01-01T00:00:00Z"}) {
        auto const members = R"("A@odata.type":"Edm.DateTime","A":")"s + text + '"';
        EXPECT_TRUE(refused_because_of(insert_members(members), service_errc::out_of_range_input, "A")) << text;
    }
}

TEST_P(seam_values, names_that_are_no_identifiers_are_refused) {
    TABLEMAP_SKIP_IF(accepts_any_property_name);
    for (auto const& name : {"a-b"s, "a.b"s, "1a"s, "a b"s, "a@b"s, ""s}) {
        auto const members = std::string{"\""}.append(name).append("\":1");
        EXPECT_TRUE(refused_because_of(insert_members(members), service_errc::property_name_invalid, name)) << name;
    }
}

}  // namespace

void link_values() {}

}  // namespace tablemap::testing::contract
