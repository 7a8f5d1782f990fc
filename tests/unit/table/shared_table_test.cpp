// SPDX-License-Identifier: Apache-2.0
#include "support/waited.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/mapping/variant.hpp"
#include "tablemap/table/async_table.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/table/join.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// One table for several types that are told by the literals of their keys.
namespace tablemap {
namespace {

struct person {
    std::string team{};
    std::int32_t id{};
    std::int32_t age{};
};

/// Its keys begin with a value: the literal stands behind it.
struct review {
    std::string team{};
    std::string of{};
    std::int32_t year{};
    std::int32_t age{};
};

/// Another partition, and no literal in the row key.
struct team {
    std::string name{};
    std::int32_t age{};
};

}  // namespace

template <> struct mapping<person> {
    static constexpr auto partition_key = key(part<&person::team>);
    static constexpr auto row_key = key("person_", part<&person::id>.width(3));
};

template <> struct mapping<review> {
    static constexpr auto partition_key = key(part<&review::team>);
    static constexpr auto row_key = key(part<&review::of>, "_review_", part<&review::year>.width(4));
};

template <> struct mapping<team> {
    static constexpr auto partition_key = key("teams");
    static constexpr auto row_key = key(part<&team::name>);
};

namespace {

using ::testing::ElementsAre;

class shared_table : public ::testing::Test {
protected:
    void SetUp() override {
        people.create();
        for (auto const* name : {"blue", "red"}) {
            for (std::int32_t i = 1; i <= 3; ++i) people.insert({.team = name, .id = i, .age = 10 * i});
            for (std::int32_t y = 1; y <= 40; ++y) reviews.insert({.team = name, .of = "don", .year = y, .age = 30});
            teams.insert({.name = name, .age = 30});
        }
        raw.insert(dynamic_entity{"blue", "something else"});
    }

    template <class Range> static std::size_t rows_in(Range range) {
        std::size_t rows = 0;
        for ([[maybe_unused]] auto const& e : range) ++rows;
        return rows;
    }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<person> people{store, "Company"};
    table<review> reviews{store, "Company"};
    table<team> teams{store, "Company"};
    table<dynamic_entity> raw{store, "Company"};
};

TEST_F(shared_table, a_scan_finds_and_counts_the_rows_of_its_type_alone) {
    EXPECT_EQ(rows_in(people.scan()), 6u);
    EXPECT_EQ(people.scan().count(), 6u);
    EXPECT_EQ(rows_in(reviews.scan()), 80u);
    EXPECT_EQ(reviews.scan().count(), 80u);
    EXPECT_EQ(rows_in(teams.scan()), 2u);
    EXPECT_EQ(teams.scan().count(), 2u);
    EXPECT_EQ(raw.scan().count(), 89u);
}

TEST_F(shared_table, a_scan_leaves_what_the_service_can_tell_to_the_service) {
    EXPECT_EQ(people.scan().explain().odata, "(RowKey ge 'person_') and (RowKey lt 'person`')");
    EXPECT_EQ(teams.scan().explain().odata, "");
}

TEST_F(shared_table, conditions_do_not_bring_other_types_back) {
    EXPECT_EQ(rows_in(people.scan(field<&person::age> == 30)), 2u);
    EXPECT_EQ(people.scan(field<&person::age> == 30).count(), 2u);
    EXPECT_EQ(rows_in(teams.scan(field<&team::age> == 30)), 2u);
    EXPECT_EQ(teams.scan().where(raw_filter("age eq {}", 30)).count(), 2u);
}

TEST_F(shared_table, few_rows_are_found_behind_many_of_other_types) {
    EXPECT_EQ(teams.scan().first()->value.name, "blue");
    EXPECT_TRUE(teams.scan().exists());
    EXPECT_EQ(teams.scan().top(1).count(), 1u);
    EXPECT_EQ(rows_in(teams.scan().top(1)), 1u);
    EXPECT_FALSE(teams.scan(field<&team::age> == 20).exists());
    EXPECT_FALSE(teams.scan(field<&team::age> == 20).first());
}

TEST_F(shared_table, a_partition_gives_the_rows_whose_literals_stand_behind_values) {
    EXPECT_EQ(rows_in(reviews.query(partition("blue"))), 40u);
    EXPECT_EQ(reviews.query(partition("blue")).count(), 40u);
    EXPECT_EQ(reviews.query(partition("blue")).first()->value.year, 1);
    EXPECT_EQ(reviews.query(partition("blue"), leading("don")).count(), 40u);
}

TEST_F(shared_table, selections_parallel_scans_and_cursors_pass_the_same_rows_over) {
    std::vector<std::string> names;
    for (auto const& [name] : teams.scan().select<&team::name>()) names.push_back(name);
    EXPECT_THAT(names, ElementsAre("blue", "red"));
    EXPECT_EQ(rows_in(teams.scan().split_at({"c", "s"})), 2u);
    EXPECT_EQ(reviews.scan().split_at({"c"}).in_any_order().count(), 80u);

    auto some = reviews.scan().top(50).page_size(7);
    while (*some.try_next()) continue;
    EXPECT_EQ(rows_in(reviews.scan().from(*some.cursor())), 30u);
}

TEST_F(shared_table, calls_that_do_not_block_pass_the_same_rows_over) {
    async_table<team> const async{store, "Company"};
    using found = std::optional<entity<team>>;
    EXPECT_EQ(test::waited<std::size_t>([&](auto token) { async.scan().count(token); }), 2u);
    EXPECT_EQ(test::waited<found>([&](auto token) { async.scan().first(token); })->value.name, "blue");
    auto range = async.scan();
    std::size_t rows = 0;
    while (test::waited<found>([&](auto token) { range.next(token); })) ++rows;
    EXPECT_EQ(rows, 2u);
}

TEST_F(shared_table, joins_and_copies_in_memory_pass_the_same_rows_over) {
    auto const by_team = [](entity<review> const& r) { return key_of<team>{r.value.team}; };
    std::size_t rows = 0;
    for (auto const& [left, right] : join(reviews.scan(), teams, by_team)) rows += right && left.value.year > 0;
    EXPECT_EQ(rows, 80u);
    EXPECT_EQ(cached_table<team>{teams}.all().size(), 2u);
    EXPECT_EQ(cached_table<review>{reviews}.all().size(), 80u);
}

TEST_F(shared_table, a_row_with_the_literals_that_cannot_be_read_is_a_bad_row) {
    raw.insert(dynamic_entity{"blue", "person_x"});
    auto range = people.scan();
    std::vector<std::error_code> faults;
    for (auto e = range.try_next(); !e || *e; e = range.try_next())
        if (!e) faults.push_back(e.error().code());
    EXPECT_THAT(faults, ElementsAre(library_errc::unreadable_key));
    EXPECT_EQ(people.scan().count(), 7u) << "rows that cannot be read count";
}

TEST_F(shared_table, erasing_what_a_scan_finds_leaves_the_others) {
    EXPECT_EQ(teams.erase_where(teams.scan()).erased(), 2u);
    EXPECT_EQ(reviews.erase_where(reviews.scan().top(5)).erased(), 5u);
    EXPECT_EQ(people.erase_where(people.scan(field<&person::age> == 30)).erased(), 2u);
    EXPECT_EQ(raw.scan().count(), 89u - 9);
}

// ---- several types told by a property -------------------------------------------------------------------------------

struct cat {
    std::string home{};
    std::int32_t id{};
};
struct dog {
    std::string home{};
    std::int32_t id{};
};
struct bird {
    std::string home{};
    std::int32_t id{};
};
using pet = std::variant<cat, dog>;

}  // namespace

template <> struct mapping<cat> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "cat");
    static constexpr auto partition_key = key(part<&cat::home>);
    static constexpr auto row_key = key(part<&cat::id>.width(3));
};
template <> struct mapping<dog> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "dog");
    static constexpr auto partition_key = key(part<&dog::home>);
    static constexpr auto row_key = key(part<&dog::id>.width(3));
};
template <> struct mapping<bird> {
    static constexpr auto discriminator = tablemap::discriminator("Kind", "bird");
    static constexpr auto partition_key = key(part<&bird::home>);
    static constexpr auto row_key = key(part<&bird::id>.width(3));
};

namespace {

TEST(shared_table_of_kinds, passes_over_the_kinds_that_a_variant_lacks) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<pet> const pets{store, "Pets"};
    table<bird> const birds{store, "Pets"};
    pets.create();
    pets.insert(cat{"here", 1});
    birds.insert({"here", 2});
    pets.insert(dog{"here", 3});
    table<dynamic_entity>{store, "Pets"}.insert(dynamic_entity{"here", "004"});

    std::vector<std::size_t> kinds;
    for (auto const& e : pets.query(partition("here"))) kinds.push_back(e.value.index());
    EXPECT_THAT(kinds, ElementsAre(0u, 1u));
    EXPECT_EQ(pets.query(partition("here")).count(), 2u);
    EXPECT_EQ(pets.scan().count(), 2u);
    EXPECT_EQ(pets.scan().top(2).count(), 2u);
    EXPECT_EQ(cached_table<pet>{pets}.all().size(), 2u);
    EXPECT_EQ(pets.erase_where(pets.scan()).erased(), 2u);
    EXPECT_EQ(birds.scan().count(), 1u);
}

}  // namespace
}  // namespace tablemap
