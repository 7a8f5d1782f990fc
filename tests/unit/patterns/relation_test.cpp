// SPDX-License-Identifier: Apache-2.0
#include "support/families.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::fault;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class scripted_relation : public ::testing::Test {
protected:
    template <class Relation> Relation with(std::vector<exchange> script, capabilities can = {.name = "scripted"}) {
        store_ = std::make_shared<scripted_store>(std::move(script), std::move(can));
        return {store_, "Company"};
    }
    void TearDown() override { EXPECT_THAT(store_->complaints(), IsEmpty()); }

    static response nothing() { return answer_page(R"({"value":[]})"); }

    std::shared_ptr<scripted_store> store_;
};

TEST_F(scripted_relation, asks_for_the_range_that_all_types_lie_in) {
    auto const t = with<teams>({{"query Company [red, red] [desk_, tean)", nothing()},
                                {"query Company [red, red] [desk_, tean)", nothing()},
                                {"query Company [*] [desk_, tean)", nothing()}});
    EXPECT_TRUE(t.find("red").empty());
    EXPECT_THAT(texts_of(t.query(partition("red"))), IsEmpty());
    EXPECT_THAT(texts_of(t.scan()), IsEmpty());
}

TEST_F(scripted_relation, asks_for_the_rows_that_continue_a_key) {
    auto const t = with<reviews>({{"query Company [Bonn, Bonn] [empid_000007, empid_000008)", nothing()}});
    EXPECT_TRUE(t.find("Bonn", 7).empty());
    auto const d = with<disks>({{"query Company [c, c] [a zb, a zb \")", nothing()}});
    EXPECT_TRUE(d.find("c", "a b").empty());
}

TEST_F(scripted_relation, takes_the_options_of_the_call) {
    auto const t = with<teams>({});
    std::stop_source stop;
    stop.request_stop();
    auto const r = t.try_find({"red"}, {.stop = stop.get_token()});
    ASSERT_TRUE(failed_with(r, library_errc::cancelled));
    EXPECT_THAT(r.error().what(), HasSubstr("find in table 'Company'"));
}

TEST_F(scripted_relation, is_not_grouped_where_a_store_answers_in_no_order) {
    auto const t = with<teams>({{"query Company", nothing()}}, {.name = "scripted", .ordered_results = false});
    auto const r = t.try_query(partition("red"));
    ASSERT_TRUE(failed_with(r, library_errc::unsupported));
    EXPECT_THAT(r.error().what(), HasSubstr("query in table 'Company'"));
    EXPECT_TRUE(failed_with(t.try_scan(), library_errc::unsupported));
    EXPECT_TRUE(t.find("red").empty()) << "one family needs no order";
}

class grouping : public ::testing::Test {
protected:
    void SetUp() override {
        store = std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        table<clerk>{store, "Company"}.create();
    }
    template <class T> void put(T value) { table<T>{store, "Company"}.insert(std::move(value)); }

    std::shared_ptr<tablemap::testing::faulty_store> store;
};

TEST_F(grouping, goes_on_where_a_page_failed) {
    put(clerk{"Bonn", 1, "Don"});
    for (int y = 2001; y <= 2009; ++y) put(review{"Bonn", 1, y, 3});
    put(clerk{"Bonn", 2, "Jun"});
    reviews const t{store, "Company"};
    auto range = t.query(partition("Bonn"), {.retry = retry_policy::none()}).page_size(4);
    store->fail_next(fault::busy, 1);
    auto const first = range.try_next();
    ASSERT_TRUE(failed_with(first, service_errc::server_busy));
    EXPECT_THAT(texts_of(range), ElementsAre("Don: 2001 2002 2003 2004 2005 2006 2007 2008 2009 |", "Jun: |"));
}

TEST_F(grouping, equals_a_grouping_by_hand_whatever_the_pages) {
    random_source random;
    for (int round = 0; round < 20; ++round) {
        std::string const office = "o" + std::to_string(round);
        std::map<int, std::string> expected;
        for (int id = 0; id < 15; ++id) {
            bool const has_parent = random.below(4) > 0;
            auto const children = random.below(5);
            if (!has_parent && children == 0) continue;
            if (has_parent) put(clerk{office, id, "x"});
            auto& text = expected[id] = has_parent ? "x:" : "-:";
            for (int y = 0; y < static_cast<int>(children); ++y) {
                put(review{office, id, 2000 + y, 1});
                text += " " + std::to_string(2000 + y);
            }
            text += " |";
        }
        std::vector<std::string> texts;
        for (auto const& [id, text] : expected) texts.push_back(text);
        reviews const t{store, "Company"};
        EXPECT_EQ(texts_of(t.query(partition(office)).page_size(1 + random.below(7))), texts);
        for (auto const& [id, text] : expected) EXPECT_EQ(text_of(t.find(office, id)), text);
    }
}

TEST(families, of_keys_that_cannot_be_made_are_errors) {
    teams const t{value_or_throw(open_embedded({.path = ":memory:"})), "Company"};
    auto const r = t.try_find({"a/b"});
    ASSERT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_THAT(r.error().what(), HasSubstr("find in table 'Company'"));
    EXPECT_TRUE(failed_with(t.try_query(partition("a/b")), library_errc::invalid_key));
}

}  // namespace
}  // namespace tablemap::test
