// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/async_join.hpp"
#include "tablemap/table/join.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include "support/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <utility>

namespace tablemap {
namespace {

struct worker {
    std::string site{};
    std::int32_t id{};
    std::optional<std::string> team{};
};

struct team {
    std::string name{};
    std::string lead{};
};

}  // namespace

template <> struct mapping<worker> {
    static constexpr auto partition_key = key(part<&worker::site>);
    static constexpr auto row_key = key(part<&worker::id>.width(4));
};

template <> struct mapping<team> {
    static constexpr auto partition_key = key("teams");
    static constexpr auto row_key = key(part<&team::name>);
};

namespace test {
namespace {

using tablemap::testing::fault;
using ::testing::ElementsAre;

std::optional<key_of<team>> team_of(entity<worker> const& w) {
    if (!w.value.team) return std::nullopt;
    return key_of<team>{*w.value.team};
}

class joining : public ::testing::Test {
protected:
    void SetUp() override {
        store = std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
        workers.emplace(store, "Workers");
        teams.emplace(store, "Teams");
        workers->create();
        teams->create();
        teams->insert({.name = "red", .lead = "Jun"});
        teams->insert({.name = "blue", .lead = "Ana"});
        for (int i = 0; i < 250; ++i)
            workers->insert({.site = "north",
                             .id = i,
                             .team = i % 4 == 0   ? std::optional<std::string>{"red"}
                                     : i % 4 == 1 ? std::optional<std::string>{"blue"}
                                     : i % 4 == 2 ? std::optional<std::string>{"gone"}
                                                  : std::nullopt});
    }

    /// "id lead" of every pair that is left.
    template <class Range> static std::vector<std::string> read(Range&& range) {
        std::vector<std::string> pairs;
        for (auto& [w, t] : range) pairs.push_back(std::to_string(w.value.id) + " " + (t ? t->value.lead : "-"));
        return pairs;
    }

    static std::vector<std::string> all_pairs() {
        std::vector<std::string> pairs;
        for (int i = 0; i < 250; ++i)
            pairs.push_back(std::to_string(i) + (i % 4 == 0 ? " Jun" : i % 4 == 1 ? " Ana" : " -"));
        return pairs;
    }

    std::shared_ptr<tablemap::testing::faulty_store> store;
    std::optional<table<worker>> workers;
    std::optional<table<team>> teams;
};

TEST_F(joining, gives_each_entity_what_belongs_to_it) {
    EXPECT_EQ(read(join(workers->query(partition("north")), *teams, team_of)), all_pairs());
}

TEST_F(joining, reads_each_partner_once_for_a_group_of_entities) {
    auto const before = store->requests();
    read(join(workers->query(partition("north")), *teams, team_of));
    EXPECT_EQ(store->requests() - before, 1 + 3 * 3U) << "a page, and three teams for each of three groups";
}

TEST_F(joining, of_a_narrowed_query_reads_no_more_than_that) {
    EXPECT_THAT(read(join(workers->query(partition("north"), row_range(3, 6)).top(2), *teams, team_of)),
                ElementsAre("3 -", "4 Jun"));
    EXPECT_TRUE(read(join(workers->query(partition("south")), *teams, team_of)).empty());
}

TEST_F(joining, asks_again_for_a_group_that_failed) {
    auto range = join(workers->query(partition("north"), {.retry = retry_policy::none()}), *teams, team_of);
    store->fail_next(fault::busy, 2);
    auto const first = range.try_next();
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code(), service_errc::server_busy);
    EXPECT_EQ(first.error().table(), "Teams");
    EXPECT_EQ(read(range), all_pairs());
}

TEST_F(joining, passes_over_an_entity_whose_partner_is_an_error) {
    table<dynamic_entity> rows{store, "Teams"};
    dynamic_entity bad{"teams", "bad"};
    bad.set("lead", 5);
    rows.insert(bad);
    workers->insert({.site = "south", .id = 1, .team = "bad"});
    workers->insert({.site = "south", .id = 2, .team = "red"});
    auto range = join(workers->query(partition("south")), *teams, team_of);
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::type_mismatch));
    EXPECT_THAT(read(range), ElementsAre("2 Jun"));
}

TEST_F(joining, of_tables_in_two_stores_is_refused) {
    table<team> const elsewhere{value_or_throw(open_embedded({.path = ":memory:"})), "Teams"};
    auto range = join(workers->query(partition("north")), elsewhere, team_of);
    EXPECT_TRUE(failed_with(range.try_next(), library_errc::unsupported));
}

TEST_F(joining, without_blocking_gives_the_same) {
    async_joined_range range{join(workers->query(partition("north")), *teams, &team_of)};
    std::vector<std::string> pairs;
    auto const next = [&] {
        std::promise<std::optional<joined<worker, team>>> got;
        range.next([&](std::exception_ptr e, std::optional<joined<worker, team>> pair) {
            e ? got.set_exception(e) : got.set_value(std::move(pair));
        });
        return got.get_future().get();
    };
    while (auto pair = next())
        pairs.push_back(std::to_string(pair->left.value.id) + " " + (pair->right ? pair->right->value.lead : "-"));
    EXPECT_EQ(pairs, all_pairs());
}

}  // namespace
}  // namespace test
}  // namespace tablemap
