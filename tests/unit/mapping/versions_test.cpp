// SPDX-License-Identifier: Apache-2.0
#include "unit/mapping/codec.hpp"
#include "tablemap/detail/mapping/entity_type.hpp"
#include "tablemap/filter/odata.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace tablemap;
using test::reading;
using test::round_trips;
using test::try_read;
using test::unreadable;

int upgrades = 0;

void split_the_name(dynamic_entity& row) {
    ++upgrades;
    auto const* name = row.try_get<std::string>("name");
    if (!name) return;
    auto const space = name->find(' ');
    auto const first = name->substr(0, space), last = name->substr(space + 1);
    row.erase("name");
    row.set("first", first);
    row.set("last", last);
}

void count_in_cents(dynamic_entity& row) {
    ++upgrades;
    if (auto const* euros = row.try_get<std::int32_t>("salary"))
        row.set("salary", std::int64_t{*euros} * 100);
    else if (auto const* wrong = row.try_get<bool>("salary"))
        row.set("salary", *wrong ? "yes" : "no");
}

struct clerk {
    std::string key = "k";
    std::string first{};
    std::string last{};
    std::int64_t salary{};
    double ratio{};
    std::optional<ticks> hired{};
    std::optional<bytes> photo{};
    std::optional<bool> active{};

    friend bool operator==(clerk const&, clerk const&) = default;
};

}  // namespace

template <> struct tablemap::mapping<clerk> : tablemap::test::keyed<clerk> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "clerk");
    static constexpr auto versions =
        tablemap::versions<3>(tablemap::upgrade_from<1>(&split_the_name), tablemap::upgrade_from<2>(&count_in_cents));
};

namespace {

class versions : public ::testing::Test {
protected:
    versions() { upgrades = 0; }
};

TEST_F(versions, of_a_current_row_are_written_and_not_upgraded) {
    clerk const c{.first = "Ann", .last = "Lee", .salary = 5, .ratio = 0.5};
    EXPECT_TRUE(round_trips(c, R"("EntityType":"clerk_v3","first":"Ann","last":"Lee","salary@odata.type":"Edm.Int64",)"
                               R"("salary":"5","ratio@odata.type":"Edm.Double","ratio":0.5)"));
    EXPECT_EQ(upgrades, 0);
    EXPECT_FALSE(try_read<clerk>(R"("EntityType":"clerk_v3")")->outdated);
}

TEST_F(versions, of_a_row_without_number_are_the_first_and_upgraded_in_a_chain) {
    clerk const expected{.first = "Ann",
                         .last = "Lee",
                         .salary = 700,
                         .ratio = -0.5,
                         .hired = ticks::parse("2024-01-01T00:00:00Z").value(),
                         .photo = bytes{std::byte{1}},
                         .active = true};
    for (auto const* row :
         {R"("EntityType":"clerk","name":"Ann Lee","salary":7,"ratio":-0.5,"hired@odata.type":"Edm.DateTime",)"
          R"("hired":"2024-01-01T00:00:00Z","photo":"AQ==","photo@odata.type":"Edm.Binary","active":true)",
          R"("active":true,"name":"Ann Lee","salary":7,"ratio":-0.5,"photo@odata.type":"Edm.Binary","photo":"AQ==",)"
          R"("hired":"2024-01-01T00:00:00Z","hired@odata.type":"Edm.DateTime","EntityType":"clerk")"}) {
        auto const r = test::read_row<clerk>(test::row(row));
        ASSERT_TRUE(r) << r.error().what();
        EXPECT_EQ(r->value, expected);
        EXPECT_TRUE(r->outdated);
    }
    EXPECT_EQ(upgrades, 4);
}

TEST_F(versions, begin_the_chain_where_the_row_is) {
    auto const r = test::read_row<clerk>(test::row(R"("first":"A","name":"x y","EntityType":"clerk_v2","salary":7)"));
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value, (clerk{.first = "A", .salary = 700}));
    EXPECT_EQ(upgrades, 1);
}

TEST_F(versions, keep_etag_timestamp_and_keys_of_an_upgraded_row) {
    auto const r = test::read_row<clerk>(R"({"odata.etag":"W/\"e\"","PartitionKey":"p","RowKey":"r1",)"
                                         R"("Timestamp":"2024-02-03T04:05:06Z","EntityType":"clerk_v2"})");
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(r->value.key, "r1");
    EXPECT_EQ(r->etag.text(), "W/\"e\"");
    EXPECT_EQ(r->timestamp.text(), "2024-02-03T04:05:06Z");
}

TEST_F(versions, take_numbers_of_an_old_row_as_leniently_as_of_a_new_one) {
    for (auto const* version : {"clerk", "clerk_v2", "clerk_v3"})
        EXPECT_EQ(reading<clerk>(R"("ratio":5,"EntityType":")" + std::string{version} + '"').ratio, 5.0) << version;
}

TEST_F(versions, that_are_later_are_unknown) {
    for (auto const* version : {"clerk_v4", "clerk_v10", "clerk_v2147483647"})
        EXPECT_TRUE(unreadable<clerk>(R"("name":1,"EntityType":")" + std::string{version} + '"',
                                      library_errc::unknown_version, "EntityType"))
            << version;
    EXPECT_EQ(upgrades, 0);
}

TEST_F(versions, that_are_no_numbers_from_2_on_name_another_type) {
    for (auto const* tag : {"clerk_v", "clerk_v0", "clerk_v1", "clerk_v02", "clerk_v2x", "clerk_v-2",
                            "clerk_v99999999999", "clerks", "Clerk", ""})
        EXPECT_TRUE(
            unreadable<clerk>(R"("EntityType":")" + std::string{tag} + '"', library_errc::another_type, "EntityType"))
            << tag;
}

TEST_F(versions, refuse_an_upgrade_that_makes_the_wrong_type) {
    auto const r = try_read<clerk>(R"("EntityType":"clerk_v2","salary":true)");
    ASSERT_TRUE(test::failed_at(r, library_errc::type_mismatch, "salary"));
    EXPECT_EQ(r.error().faults().front().found, "Edm.String");
    EXPECT_EQ(r.error().faults().front().expected, "Edm.Int64");
}

TEST_F(versions, refuse_an_old_row_whose_values_do_not_have_their_types) {
    EXPECT_TRUE(unreadable<clerk>(R"("EntityType":"clerk_v2","x@odata.type":"Edm.Guid","x":"y")",
                                  library_errc::type_mismatch, "x"));
    EXPECT_TRUE(
        test::failed_with(try_read<clerk>(R"("EntityType":"clerk_v2","x":1,"x":1)"), library_errc::malformed_response));
}

TEST_F(versions, that_were_read_leave_no_trace_in_the_next_row) {
    std::vector<entity<clerk>> out;
    std::vector<detail::bad_row_at> bad;
    std::string page = R"({"value":[{"PartitionKey":"p","RowKey":"1","EntityType":"clerk","name":"A B"},)"
                       R"({"PartitionKey":"p","RowKey":"2","EntityType":"clerk_v3","last":"C"},)"
                       R"({"PartitionKey":"p","RowKey":"3","EntityType":"clerk_v4"},)"
                       R"({"PartitionKey":"p","RowKey":"4","EntityType":"clerk_v2","last":"D"}]})";
    ASSERT_TRUE(detail::decode_page(page, out, bad));
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out[0].value, (clerk{.key = "1", .first = "A", .last = "B"}));
    EXPECT_EQ(out[1].value, (clerk{.key = "2", .last = "C"}));
    EXPECT_EQ(out[2].value, (clerk{.key = "4", .last = "D"}));
    EXPECT_TRUE(out[0].outdated && !out[1].outdated && out[2].outdated);
    ASSERT_EQ(bad.size(), 1u);
    EXPECT_EQ(bad[0].row.row_key, "3");
}

TEST_F(versions, are_all_asked_of_the_store) {
    auto const filter = detail::type_filter_of<clerk>();
    ASSERT_TRUE(filter);
    std::string text;
    ASSERT_TRUE(append_odata(text, *filter));
    EXPECT_EQ(text, "(EntityType eq 'clerk') or ((EntityType ge 'clerk_v0') and (EntityType lt 'clerk_v:'))");
}

}  // namespace
