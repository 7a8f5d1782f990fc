// SPDX-License-Identifier: Apache-2.0
#include "support/expiry_samples.hpp"

#include "tablemap/embedded/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tablemap {
namespace {

/// Whose row without a time never expires.
struct badge {
    std::string owner{};
    std::int32_t id{};
    ticks until = ticks::max();
};

}  // namespace

template <> struct mapping<badge> {
    static constexpr auto partition_key = key(part<&badge::owner>);
    static constexpr auto row_key = key("badge_", part<&badge::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(expiry_in<"BadgeExpiry">(part<&badge::until>, spread<2>(part<&badge::id>)));
};

namespace test {
namespace {

using ::testing::ElementsAre;

class reads_of_unexpired : public ::testing::Test {
protected:
    void SetUp() override {
        sessions.create();
        coupons.create();
        for (int id = 1; id <= 4; ++id) sessions.insert({"ana", id, "phone" + std::to_string(id), noon_and(id)});
        coupons.insert({"Bonn", "always", {}});
        coupons.insert({"Bonn", "old", std::chrono::floor<std::chrono::seconds>(noon_and(0).time())});
        coupons.insert({"Bonn", "young", std::chrono::floor<std::chrono::seconds>(noon_and(5).time())});
    }
    static std::vector<std::int32_t> ids(unexpired_range<session> range) {
        std::vector<std::int32_t> all;
        for (auto const& e : range) all.push_back(e.value.id);
        return all;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<session> sessions{store, "Sessions"};
    table<coupon> coupons{store, "Coupons"};
    ticks now = noon_and(2);
    unexpired_table<session> live{sessions, [this] { return now; }};
    unexpired_table<coupon> valid{coupons, [this] { return now; }};
};

TEST_F(reads_of_unexpired, find_passes_over_what_has_expired) {
    EXPECT_FALSE(live.find("ana", 2));
    EXPECT_TRUE(live.find("ana", 3));
    EXPECT_TRUE(live.find({"ana", 3}));
    EXPECT_FALSE(live.find("ana", 9));
    EXPECT_TRUE(live.with_expired().find("ana", 2));
}

TEST_F(reads_of_unexpired, find_many_leaves_their_places_empty) {
    auto const found = live.find_many({{"ana", 1}, {"ana", 4}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_TRUE(!found[0] && found[1]);
}

TEST_F(reads_of_unexpired, queries_and_scans_pass_over_them) {
    EXPECT_THAT(ids(live.query(partition("ana"))), ElementsAre(3, 4));
    EXPECT_THAT(ids(live.query(partition("ana"), row_range(1, 4))), ElementsAre(3));
    EXPECT_THAT(ids(live.scan().where(field<&session::device> == "phone4")), ElementsAre(4));
    EXPECT_EQ(live.scan().first()->value.id, 3);
}

TEST_F(reads_of_unexpired, an_entity_that_expires_while_a_query_is_read_is_passed_over) {
    auto range = live.query(partition("ana"));
    now = noon_and(3);
    EXPECT_THAT(ids(range), ElementsAre(4));
    now = noon_and(4);
    EXPECT_TRUE(ids(range).empty());
}

TEST_F(reads_of_unexpired, an_entity_without_a_time_is_read) {
    std::vector<std::string> codes;
    for (auto q = valid.query(partition("Bonn")); auto const& e : q) codes.push_back(e.value.code);
    EXPECT_THAT(codes, ElementsAre("always", "young"));
    EXPECT_TRUE(valid.find("Bonn", "always"));
    EXPECT_FALSE(valid.find("Bonn", "old"));
}

TEST_F(reads_of_unexpired, a_row_without_the_time_has_that_of_a_new_struct_in_all_reads) {
    table<badge> const badges{store, "Badges"};
    badges.create();
    table<dynamic_entity>{store, "Badges"}.insert(dynamic_entity{"ana", "badge_000001"});
    badges.insert({"ana", 2, noon_and(1)});
    unexpired_table<badge> const valid_badges{badges, [this] { return now; }};
    EXPECT_TRUE(valid_badges.find("ana", 1));
    auto range = valid_badges.query(partition("ana"));
    auto const first = range.try_next();
    ASSERT_TRUE(first && *first);
    EXPECT_EQ((*first)->value.id, 1);
    EXPECT_FALSE(*range.try_next());
}

TEST_F(reads_of_unexpired, a_range_may_be_moved_while_it_is_read) {
    auto range = live.query(partition("ana"));
    auto at = range.begin();
    auto const kept = std::move(range);
    ASSERT_EQ(at->value.id, 3);
    ++at;
    EXPECT_EQ(at->value.id, 4);
}

}  // namespace
}  // namespace test
}  // namespace tablemap
