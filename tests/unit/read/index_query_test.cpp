// SPDX-License-Identifier: Apache-2.0
#include "tablemap/embedded/store.hpp"
#include "tablemap/table/cached_table.hpp"
#include "tablemap/table/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

/// Queries over indexes, and everything that the rows of indexes are hidden from.

namespace tablemap::test {
namespace {

struct guest {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
    std::int32_t nights{};
    std::string email{};
    bool paid{};

    friend bool operator==(guest const&, guest const&) = default;
};

struct guest_name {
    std::string name{};
    std::int32_t id{};
};
struct guest_nights {
    std::int32_t nights{};
};

/// Shares partitions with guests.
struct hotel_info {
    std::string hotel{};
    std::string city{};

    [[maybe_unused]] friend bool operator==(hotel_info const&, hotel_info const&) = default;
};
using guest_or_info = std::variant<guest, hotel_info>;

/// Told from others by a property.
struct staff {
    std::string hotel{};
    std::int32_t id{};
    std::string name{};
};
struct room {
    std::string hotel{};
    std::int32_t number{};
};
using staff_or_room = std::variant<staff, room>;

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::guest> {
    using guest = test::guest;
    static constexpr auto partition_key = key(part<&guest::hotel>);
    static constexpr auto row_key = key("id_", part<&guest::id>.width(4));
    static constexpr auto indexes =
        tablemap::indexes(unique_index<"by_email">(key("email_", part<&guest::email>)),
                          index<"by_name">(key("name_", part<&guest::name>.escaped())).include<&guest::email>(),
                          index<"by_nights">(key("nights_", part<&guest::nights>.width(3).descending())),
                          index<"paid">(key("paid_", part<&guest::name>.escaped())).where(&guest::paid));
};
template <> struct tablemap::mapping<tablemap::test::hotel_info> {
    static constexpr auto partition_key = key(part<&test::hotel_info::hotel>);
    static constexpr auto row_key = key("info");
};
template <> struct tablemap::mapping<tablemap::test::staff> {
    using staff = test::staff;
    static constexpr auto discriminator = tablemap::discriminator("Kind", "staff");
    static constexpr auto partition_key = key(part<&staff::hotel>);
    static constexpr auto row_key = key("staff_", part<&staff::id>.width(4));
    static constexpr auto indexes = tablemap::indexes(index<"by_name">(key("name_", part<&staff::name>.escaped())));
};
template <> struct tablemap::mapping<tablemap::test::room> {
    using room = test::room;
    static constexpr auto discriminator = tablemap::discriminator("Kind", "room");
    static constexpr auto partition_key = key(part<&room::hotel>);
    static constexpr auto row_key = key("room_", part<&room::number>.width(4));
};

namespace tablemap::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class index_queries : public ::testing::Test {
protected:
    void SetUp() override {
        guests().create();
        auto const t = guests();
        t.insert({"Ritz", 1, "Reyes", 3, "r@x", true});
        t.insert({"Ritz", 2, "Hall", 7, "d@x", false});
        t.insert({"Ritz", 3, "Cao", 1, "j@x", true});
        t.insert({"Ritz", 4, "Jones", 7, "a@x", false});
        t.insert({"Ritz", 5, "Jones/Smith", 2, "s@x", true});
        t.insert({"Savoy", 6, "Hall", 4, "h@x", true});
    }

    table<guest> guests() const { return {store_, "Stays"}; }

    template <class Range> static std::vector<std::int32_t> ids(Range&& range) {
        std::vector<std::int32_t> found;
        for (auto const& e : range) found.push_back(e.value.id);
        return found;
    }
    template <class Range> static std::vector<std::pair<std::string, std::int32_t>> names(Range&& range) {
        std::vector<std::pair<std::string, std::int32_t>> found;
        for (auto& [name, id] : std::forward<Range>(range).template select<&guest::name, &guest::id>())
            found.emplace_back(name, id);
        return found;
    }

    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
    partition_values<std::string> ritz = partition(std::string{"Ritz"});
};

// ---- found rows -----------------------------------------------------------------------------------------------------

TEST_F(index_queries, give_entities_in_the_order_of_the_index) {
    EXPECT_THAT(ids(guests().query_by<"by_email">(ritz)), ElementsAre(4, 2, 3, 1, 5));
    EXPECT_THAT(ids(guests().query_by<"by_nights">(ritz)), ElementsAre(2, 4, 1, 5, 3));
}

TEST_F(index_queries, take_a_selection_of_the_indexs_own_members) {
    auto const t = guests();
    EXPECT_THAT(names(t.query_by<"by_name">(ritz, starting_with("Jones"))),
                ElementsAre(Pair("Jones", 4), Pair("Jones/Smith", 5)));
    EXPECT_THAT(names(t.query_by<"by_name">(ritz, leading("Jones"))), ElementsAre(Pair("Jones", 4)));
    EXPECT_THAT(names(t.query_by<"by_name">(ritz, row_range("D", "Jones"))), ElementsAre(Pair("Hall", 2)));
    EXPECT_THAT(names(t.query_by<"by_name">(ritz, row_between("D", "Jones"))),
                ElementsAre(Pair("Hall", 2), Pair("Jones", 4)));
    EXPECT_THAT(ids(t.query_by<"by_nights">(ritz, row_between(2, 3))), ElementsAre(1, 5));
}

TEST_F(index_queries, select_by_the_row_key_where_the_index_has_equal_values) {
    EXPECT_THAT(ids(guests().query_by<"by_nights">(ritz, leading(7).range(3, 9))), ElementsAre(4));
    EXPECT_THAT(ids(guests().query_by<"by_nights">(ritz, leading(7, 2))), ElementsAre(2));
}

TEST_F(index_queries, find_only_entities_that_meet_the_indexs_condition) {
    EXPECT_THAT(ids(guests().query_by<"paid">(ritz)), ElementsAre(3, 5, 1));
}

TEST_F(index_queries, give_whole_copies_without_an_etag) {
    auto const e = *guests().query_by<"by_email">(ritz, leading("d@x")).first();
    EXPECT_EQ(e.value, (guest{"Ritz", 2, "Hall", 7, "d@x", false}));
    EXPECT_TRUE(e.etag.empty());
    EXPECT_EQ(guests().try_erase(e).error().code(), library_errc::missing_etag);
}

TEST_F(index_queries, merge_several_partitions_by_their_keys) {
    auto const hotels = std::vector{ritz, partition(std::string{"Savoy"})};
    EXPECT_THAT(ids(guests().query_by<"by_email">(hotels)), ElementsAre(4, 2, 3, 1, 5, 6));
    EXPECT_THAT(names(guests().query_by<"by_name">(hotels, leading("Hall"))),
                ElementsAre(Pair("Hall", 2), Pair("Hall", 6)));
}

// ---- narrowing ------------------------------------------------------------------------------------------------------

TEST_F(index_queries, are_narrowed_like_others) {
    auto const t = guests();
    EXPECT_THAT(ids(t.query_by<"by_email">(ritz).where(field<&guest::nights> > 2)), ElementsAre(4, 2, 1));
    EXPECT_THAT(ids(t.query_by<"by_email">(ritz).top(2)), ElementsAre(4, 2));
    EXPECT_EQ(t.query_by<"by_name">(ritz).count(), 5u);
    EXPECT_TRUE(t.query_by<"by_name">(ritz, leading("Cao")).exists());
    EXPECT_FALSE(t.query_by<"by_name">(ritz, leading("Mao")).exists());
    EXPECT_EQ(t.query_by<"by_name">(ritz).where(field<&guest::email> == "j@x").count(), 1u);
}

TEST_F(index_queries, give_some_members_as_a_struct) {
    std::vector<std::string> found;
    for (auto& g : guests().query_by<"by_name">(ritz).select_into<guest_name>()) found.push_back(g.name);
    EXPECT_THAT(found, ElementsAre("Cao", "Hall", "Jones", "Jones/Smith", "Reyes"));
    EXPECT_EQ(guests().query_by<"by_email">(ritz).select_into<guest_nights>().first()->nights, 7);
}

TEST_F(index_queries, go_on_from_a_cursor) {
    std::vector<std::int32_t> found;
    std::optional<std::string> at;
    do {
        auto range = guests().query_by<"by_email">(ritz).page_size(2);
        if (at) range = std::move(range).from(*at);
        found.push_back((*range.try_next())->value.id);
        at = range.cursor();
    } while (at);
    EXPECT_THAT(found, ElementsAre(4, 2, 3, 1, 5));
}

TEST_F(index_queries, go_on_from_a_cursor_where_members_are_selected) {
    auto range = guests().query_by<"by_name">(ritz).select<&guest::email>();
    ASSERT_TRUE(range.try_next());
    auto rest = guests().query_by<"by_name">(ritz).select<&guest::email>().from(*range.cursor());
    std::vector<std::string> emails;
    for (auto& [email] : rest) emails.push_back(email);
    EXPECT_THAT(emails, ElementsAre("d@x", "a@x", "s@x", "r@x"));
}

TEST_F(index_queries, refuse_the_cursor_of_another_index) {
    auto range = guests().query_by<"by_email">(ritz);
    ASSERT_TRUE(range.try_next());
    auto other = guests().query_by<"by_nights">(ritz).from(*range.cursor());
    EXPECT_EQ(other.try_next().error().code(), library_errc::invalid_cursor);
    auto base = guests().query(ritz).from(*range.cursor());
    EXPECT_EQ(base.try_next().error().code(), library_errc::invalid_cursor);
}

TEST_F(index_queries, refuse_a_condition_on_what_the_index_does_not_copy) {
    auto range = guests().query_by<"by_name">(ritz).where(field<&guest::email> == "j@x" || field<&guest::nights> > 2);
    auto const r = std::move(range).try_count();
    EXPECT_EQ(r.error().code(), library_errc::unsupported);
    EXPECT_EQ(r.error().member(), "nights");
    EXPECT_THAT(r.error().details().reason, ::testing::HasSubstr("by_name"));
}

TEST_F(index_queries, take_conditions_on_the_members_of_the_indexs_key) {
    EXPECT_THAT(names(guests().query_by<"by_name">(ritz).where(field<&guest::name> != "Jones")),
                ElementsAre(Pair("Cao", 3), Pair("Hall", 2), Pair("Jones/Smith", 5), Pair("Reyes", 1)));
}

TEST_F(index_queries, explain_what_they_read) {
    auto const plan = guests().query_by<"by_name">(ritz, starting_with("J")).explain();
    EXPECT_EQ(plan.reads, query_plan::kind::row_range);
    EXPECT_EQ(plan.odata, "(PartitionKey eq 'Ritz') and (RowKey ge 'name_J') and (RowKey lt 'name_K')");
    EXPECT_EQ(guests().query_by<"by_email">(ritz, leading("a@x")).explain().reads, query_plan::kind::point);
}

TEST_F(index_queries, tell_a_value_that_makes_no_key) {
    EXPECT_EQ(guests().try_query_by<"by_email">(ritz, leading("a/b")).error().member(), "email");
}

// ---- hidden rows ----------------------------------------------------------------------------------------------------

TEST_F(index_queries, leave_queries_and_scans_of_entities_as_they_were) {
    EXPECT_THAT(ids(guests().query(ritz)), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(ids(guests().scan()), ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(guests().query(ritz).count(), 5u);
    EXPECT_EQ(guests().scan().count(), 6u);
    EXPECT_EQ(guests().scan(field<&guest::email> == "d@x").count(), 1u);
    EXPECT_EQ(guests().scan().explain().odata, "(RowKey ge 'id_') and (RowKey lt 'id`')");
    EXPECT_EQ(table<dynamic_entity>(store_, "Stays").scan().count(), 6u + 3 * 6 + 4);
}

TEST_F(index_queries, leave_a_cached_table_as_it_was) {
    cached_table<guest> cache{guests()};
    EXPECT_EQ(cache.all().size(), 6u);
    EXPECT_EQ(cache.find({"Ritz", 2})->value.name, "Hall");
}

TEST_F(index_queries, are_passed_over_by_a_table_of_several_types_told_by_their_keys) {
    table<guest_or_info> all{store_, "Stays"};
    all.insert(hotel_info{"Ritz", "Paris"});
    std::vector<std::size_t> kinds;
    for (auto& e : all.query(ritz)) kinds.push_back(e.value.index());
    EXPECT_THAT(kinds, ElementsAre(0, 0, 0, 0, 0, 1));
    EXPECT_EQ(all.query(ritz).count(), 6u);
    EXPECT_EQ(all.scan().count(), 7u);
    EXPECT_TRUE(all.query(ritz).exists());
    EXPECT_EQ(std::get<guest>(all.query(ritz).page_size(1).first()->value).id, 1);
    EXPECT_EQ(cached_table<guest_or_info>{all}.all().size(), 7u);
    EXPECT_FALSE(all.query(ritz, starting_with("email_")).exists());
}

TEST_F(index_queries, are_passed_over_by_a_table_of_several_types_told_by_a_property) {
    table<staff_or_room> all{store_, "People"};
    all.create();
    all.insert(room{"Ritz", 17});
    all.insert(staff{"Ritz", 4, "Ann"});
    EXPECT_EQ(table<dynamic_entity>(store_, "People").scan().count(), 3u);
    std::vector<std::size_t> kinds;
    for (auto& e : all.scan()) kinds.push_back(e.value.index());
    EXPECT_THAT(kinds, ElementsAre(1, 0));
    EXPECT_EQ(all.scan().count(), 2u);
    table<staff> people{store_, "People"};
    EXPECT_EQ(people.scan().count(), 1u);
    EXPECT_EQ(people.query_by<"by_name">(ritz, leading("Ann")).first()->value.id, 4);
}

TEST_F(index_queries, are_passed_over_by_a_table_of_a_variant_of_one_type) {
    table<std::variant<guest>> all{store_, "Stays"};
    std::vector<std::int32_t> found;
    for (auto& e : all.query(ritz)) found.push_back(std::get<guest>(e.value).id);
    EXPECT_THAT(found, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_EQ(all.query(ritz).count(), 5u);
    EXPECT_EQ(all.scan().count(), 6u);
    EXPECT_EQ(all.scan().top(1).count(), 1u);
    EXPECT_EQ(std::get<guest>(all.query(ritz).top(1).first()->value).id, 1);
}

TEST_F(index_queries, are_passed_over_by_a_table_of_a_variant_of_one_type_told_by_a_property) {
    table<std::variant<staff>> all{store_, "People"};
    all.create();
    all.insert(staff{"Ritz", 4, "Ann"});
    std::size_t found = 0;
    for (auto& e : all.scan()) found += e.value.index() + 1;
    EXPECT_EQ(found, 1u);
    EXPECT_EQ(all.scan().count(), 1u);
}

TEST_F(index_queries, are_passed_over_between_bad_rows_and_cursors) {
    table<guest_or_info> all{store_, "Stays"};
    table<dynamic_entity>(store_, "Stays").insert({"Ritz", "id_zoo"});
    std::vector<std::string> bad;
    auto range =
        all.query(ritz).page_size(1).on_error(skip_bad_rows([&](bad_row const& r) { bad.push_back(r.row_key); }));
    std::size_t found = 0;
    for ([[maybe_unused]] auto& e : range) ++found;
    EXPECT_EQ(found, 5u);
    EXPECT_THAT(bad, ElementsAre("id_zoo"));
}

}  // namespace
}  // namespace tablemap::test
