// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"
#include "support/families.hpp"
#include "support/observing.hpp"

#include "tablemap/patterns/async_relation.hpp"

#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class table_relations : public seam {
protected:
    teams all_teams() { return {shared_store(), table().table()}; }
    reviews all_reviews() { return {shared_store(), table().table()}; }
    disks all_disks() { return {shared_store(), table().table()}; }

    template <class T> void put(T value) {
        tablemap::table<T>{shared_store(), table().table()}.insert(std::move(value));
    }

    void put_team(std::string const& name, std::vector<int> const& ids) {
        put(team{.name = name, .people = static_cast<std::int32_t>(ids.size())});
        for (auto const id : ids) put(member{.team = name, .id = id});
    }

    void put_clerk(int id, std::string const& first, std::vector<int> const& years) {
        if (!first.empty()) put(clerk{.office = "Bonn", .id = id, .first = first});
        for (auto const y : years) put(review{.office = "Bonn", .id = id, .year = y});
    }
};
TABLEMAP_ON_EVERY_STORE(table_relations);

// ---- one parent in a partition --------------------------------------------------------------------------------------

TEST_P(table_relations, reads_a_parent_and_its_children_in_one_request) {
    put_team("red", {3, 1, 2});
    put(desk{.team = "red", .room = "a"});
    put_rows("red", {"aaa", "ix_1", "member", "zzz"});  // of other types
    auto const seen = std::make_shared<keeping_observer>();
    teams const watched{with_observer(shared_store(), seen), table().table()};
    EXPECT_EQ(text_of(watched.find("red")), "3: 1 2 3 | a");
    EXPECT_EQ(seen->requests.size(), 1u);
    EXPECT_EQ(seen->operations.front().action, "find");
}

TEST_P(table_relations, finds_children_without_a_parent_and_a_parent_without_children) {
    put(member{.team = "orphans", .id = 7});
    put(team{.name = "empty", .people = 0});
    EXPECT_EQ(text_of(all_teams().find("orphans")), "-: 7 |");
    EXPECT_EQ(text_of(all_teams().find("empty")), "0: |");
    EXPECT_TRUE(all_teams().find("nobody").empty());
    EXPECT_FALSE(all_teams().find("empty").empty());
}

TEST_P(table_relations, of_a_partition_a_list_of_them_or_the_table_are_families) {
    put_team("blue", {1});
    put_team("red", {2, 3});
    put(member{.team = "yellow", .id = 4});
    EXPECT_THAT(texts_of(all_teams().query(partition("red"))), ElementsAre("2: 2 3 |"));
    EXPECT_THAT(texts_of(all_teams().query(std::vector{partition("yellow"), partition("blue")})),
                ElementsAre("1: 1 |", "-: 4 |"));
    EXPECT_THAT(texts_of(all_teams().scan()), ElementsAre("1: 1 |", "2: 2 3 |", "-: 4 |"));
    EXPECT_THAT(texts_of(all_teams().query(partition("nobody"))), IsEmpty());
}

TEST_P(table_relations, gives_entities_that_can_be_written) {
    put_team("red", {1});
    auto red = all_teams().find("red");
    auto hire = all_teams().transaction();
    ++red.parent->value.people;
    hire.insert(member{.team = "red", .id = 2});
    hire.merge(*red.parent, only<&team::people>);
    hire.commit();
    EXPECT_EQ(text_of(all_teams().find("red")), "2: 1 2 |");
    auto close = all_teams().transaction();
    red = all_teams().find("red");
    close.erase(*red.parent);
    for (auto const& m : red.children()) close.erase(m);
    close.commit();
    EXPECT_TRUE(all_teams().find("red").empty());
}

// ---- compound keys --------------------------------------------------------------------------------------------------

TEST_P(table_relations, finds_what_lies_behind_one_key_alone) {
    put_clerk(1, "Don", {2011, 2012});
    put_clerk(2, "Jun", {2012});
    put(note{.office = "Bonn", .id = 1, .about = "pay"});
    put_rows("Bonn", {"empid_000001_x", "empid_000001~"});  // without a type
    EXPECT_EQ(text_of(all_reviews().find("Bonn", 1)), "Don: 2011 2012 | pay");
    EXPECT_EQ(text_of(all_reviews().find("Bonn", 2)), "Jun: 2012 |");
    EXPECT_TRUE(all_reviews().find("Bonn", 3).empty());
}

TEST_P(table_relations, groups_the_rows_of_a_partition) {
    put_clerk(1, "Don", {2011, 2012});
    put_clerk(2, "", {2010});
    put_clerk(3, "Jun", {});
    EXPECT_THAT(texts_of(all_reviews().query(partition("Bonn"))),
                ElementsAre("Don: 2011 2012 |", "-: 2010 |", "Jun: |"));
    EXPECT_THAT(texts_of(all_reviews().query(partition("Bonn")).page_size(1)),
                ElementsAre("Don: 2011 2012 |", "-: 2010 |", "Jun: |"));
}

TEST_P(table_relations, of_a_range_of_parents_takes_their_children) {
    for (int id = 1; id <= 5; ++id) put_clerk(id, "c" + std::to_string(id), {2012});
    auto const bonn = partition("Bonn");
    EXPECT_THAT(texts_of(all_reviews().query(bonn, row_range(2, 4))), ElementsAre("c2: 2012 |", "c3: 2012 |"));
    EXPECT_THAT(texts_of(all_reviews().query(bonn, row_between(4, 5))), ElementsAre("c4: 2012 |", "c5: 2012 |"));
    EXPECT_THAT(texts_of(all_reviews().query(bonn, leading(3))), ElementsAre("c3: 2012 |"));
}

TEST_P(table_relations, keeps_families_of_any_text_together) {
    std::vector<std::string> const paths{"a", "a b", "a!", "a/b", "ab", "a\t"};
    for (auto const& p : paths) {
        put(folder{.disk = "c", .path = p});
        for (auto const* name : {" x", "1"}) put(file{.disk = "c", .path = p, .name = name});
    }
    EXPECT_THAT(texts_of(all_disks().query(partition("c"))),
                ElementsAre("a:  x 1", "a\t:  x 1", "a b:  x 1", "a!:  x 1", "a/b:  x 1", "ab:  x 1"));
    for (auto const& p : paths) EXPECT_EQ(text_of(all_disks().find("c", p)), p + ":  x 1");
    EXPECT_THAT(texts_of(all_disks().query(partition("c"), row_between("a", "a b"))),
                ElementsAre("a:  x 1", "a\t:  x 1", "a b:  x 1"));
    EXPECT_THAT(texts_of(all_disks().query(partition("c"), row_range("a b", "ab"))),
                ElementsAre("a b:  x 1", "a!:  x 1", "a/b:  x 1"));
    EXPECT_THAT(texts_of(all_disks().query(partition("c"), starting_with("ab"))), ElementsAre("ab:  x 1"));
}

TEST_P(table_relations, tells_rows_that_cannot_be_read) {
    put_clerk(1, "Don", {2011});
    dynamic_entity bad{"Bonn", "empid_000001_20x2"};
    bad.set("Kind", "review");
    put(bad);
    EXPECT_THROW(all_reviews().find("Bonn", 1), error);
    auto range = all_reviews().query(partition("Bonn"));
    auto const first = range.try_next();
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code(), library_errc::unreadable_key);
    EXPECT_THAT(texts_of(range), ElementsAre("Don: 2011 |")) << "goes on without the row";
    std::size_t skipped = 0;
    EXPECT_THAT(
        texts_of(all_reviews().query(partition("Bonn")).on_error(skip_bad_rows([&](bad_row const&) { ++skipped; }))),
        ElementsAre("Don: 2011 |"));
    EXPECT_EQ(skipped, 1u);
}

// ---- without blocking -----------------------------------------------------------------------------------------------

TEST_P(table_relations, without_blocking_gives_the_same) {
    put_clerk(1, "Don", {2011, 2012});
    put_clerk(2, "Jun", {2012});
    async_relation<clerk, review, note> const t{shared_store(), table().table()};
    EXPECT_EQ(text_of(t.find({"Bonn", 1}, asio::use_future).get()), "Don: 2011 2012 |");
    EXPECT_TRUE(t.find({"Bonn", 9}, call_options{}, asio::use_future).get().empty());
    EXPECT_THROW(t.find({"a/b", 9}, asio::use_future).get(), error);
    std::vector<std::string> texts;
    auto range = t.query(partition("Bonn")).page_size(2);
    while (auto f = range.next(asio::use_future).get()) texts.push_back(text_of(*f));
    EXPECT_THAT(texts, ElementsAre("Don: 2011 2012 |", "Jun: 2012 |"));
    EXPECT_EQ(text_of(*t.query(partition("Bonn"), row_range(2, 3)).next(asio::use_future).get()), "Jun: 2012 |");
    EXPECT_EQ(text_of(*t.scan().next(asio::use_future).get()), "Don: 2011 2012 |");
}

}  // namespace
}  // namespace tablemap::test
