// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <stdexcept>

namespace tablemap::test {
namespace {

class reopen : public embedded_file {};

ticks at(char const* text) { return ticks::parse(text).value(); }

TEST_F(reopen, keeps_tables_entities_and_etags) {
    etag tag;
    {
        auto s = open();
        table_client t{*s, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        tag = t.insert(entity("p", "r", {{"A", 1}})).etag;
    }
    auto s = open();
    auto const got = entity_in(table_client{*s, "people"}.get("p", "r"));
    EXPECT_EQ(got.etag, tag);
    EXPECT_EQ(properties_of(got), (std::vector<property>{{"A", 1}}));
}

TEST_F(reopen, leaves_one_file_behind) {
    make_store(10);
    EXPECT_FALSE(std::filesystem::exists(path() + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(path() + "-shm"));
}

TEST_F(reopen, etags_rise_after_the_clock_stepped_back) {
    auto o = options();
    o.now = [] { return at("2030-01-01T00:00:00Z"); };
    etag before;
    {
        auto s = value_or_throw(open_embedded(o));
        table_client t{*s, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        before = t.insert(entity("p", "r")).etag;
        EXPECT_EQ(before.timestamp(), at("2030-01-01T00:00:00Z"));
        ASSERT_TRUE(carried_out(t.erase("p", "r")));
    }
    o.now = [] { return at("2020-01-01T00:00:00Z"); };
    auto s = value_or_throw(open_embedded(o));
    auto const after = table_client{*s, "People"}.insert(entity("p", "r")).etag;
    EXPECT_GT(*after.timestamp(), *before.timestamp());
}

TEST_F(reopen, a_clock_that_stands_still_gives_each_write_its_own_etag) {
    auto o = options();
    o.now = [] { return at("2030-01-01T00:00:00Z"); };
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    auto const r =
        t.transact({operation(write_kind::insert, entity("p", "1")), operation(write_kind::insert, entity("p", "2"))});
    ASSERT_TRUE(carried_out(r));
    EXPECT_EQ(r.etags[0].timestamp(), at("2030-01-01T00:00:00Z"));
    EXPECT_EQ(r.etags[1].timestamp(), at("2030-01-01T00:00:00.0000001Z"));
    EXPECT_EQ(t.insert(entity("p", "3")).etag.timestamp(), at("2030-01-01T00:00:00.0000002Z"));
}

TEST_F(reopen, a_clock_outside_the_service_range_is_refused_and_changes_nothing) {
    auto time = ticks::max() + tick_duration{1};
    auto o = options();
    o.now = [&time] { return time; };
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    EXPECT_TRUE(refused(t.insert(entity("p", "r")), store_errc::failed));
    time = ticks::max();
    EXPECT_TRUE(refused(t.insert(entity("p", "r")), store_errc::failed));
    EXPECT_TRUE(refused(t.get("p", "r"), service_errc::resource_not_found));
    time = at("2030-01-01T00:00:00Z");
    EXPECT_TRUE(carried_out(t.insert(entity("p", "r"))));
}

TEST_F(reopen, a_clock_that_throws_is_named_and_changes_nothing) {
    auto o = options();
    o.now = []() -> ticks { throw std::runtime_error{"no time"}; };
    auto s = value_or_throw(open_embedded(o));
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    auto const r = t.insert(entity("p", "r"));
    ASSERT_TRUE(refused(r, store_errc::failed));
    EXPECT_NE(r.failure->details().reason.find("the clock that was given to the store threw"), std::string::npos);
    EXPECT_TRUE(refused(t.get("p", "r"), service_errc::resource_not_found));
}

TEST_F(reopen, a_table_that_exists_by_another_case_is_refused_with_the_name_that_it_has) {
    auto s = open();
    ASSERT_TRUE(carried_out(table_client{*s, "People"}.create()));
    auto const reason = [&](char const* name) { return table_client{*s, name}.create().failure->details().reason; };
    EXPECT_EQ(reason("PEOPLE"), "it is there as 'People': names are compared without case");
    EXPECT_EQ(reason("People"), "use create_if_not_exists if that is fine");
}

TEST_F(reopen, stores_in_memory_share_nothing) {
    auto a = value_or_throw(open_embedded({.path = ":memory:"}));
    auto b = value_or_throw(open_embedded({.path = ":memory:"}));
    ASSERT_TRUE(carried_out(table_client{*a, "People"}.create()));
    EXPECT_TRUE(carried_out(table_client{*b, "People"}.create()));
}

TEST_F(reopen, a_filtered_page_that_examined_much_is_empty_and_goes_on) {
    auto s = open();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    for (int g = 0; g < 101; ++g) {
        std::vector<owned_operation> group;
        for (int i = 0; i < 100; ++i)
            group.push_back(operation(write_kind::insert, entity("p", std::to_string(10'000 + g * 100 + i))));
        ASSERT_TRUE(carried_out(t.transact(group)));
    }
    ASSERT_TRUE(carried_out(t.insert(entity("p", "z", {{"V", 1}}))));
    filter::expression const where = filter::comparison{"V", filter::comparison_operator::eq, 1};
    auto const first = t.page({.where = &where});
    EXPECT_TRUE(entities_in(first).empty());
    ASSERT_TRUE(first.next);
    EXPECT_EQ(row_keys(t.all({.where = &where})), std::vector<std::string>{"z"});
}

TEST_F(reopen, a_row_bound_over_many_partitions_ends_a_page_too) {
    auto s = open();
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    for (int i = 0; i < 5'100; ++i) {
        auto const partition = std::to_string(10'000 + i);
        ASSERT_TRUE(carried_out(t.transact({operation(write_kind::insert, entity(partition, "a")),
                                            operation(write_kind::insert, entity(partition, "z"))})));
    }
    ASSERT_TRUE(carried_out(t.insert(entity("last", "m"))));
    std::size_t pages = 0;
    EXPECT_EQ(keys_of(t.all({.row = key_bounds::exactly("m")}, &pages)), std::vector<std::string>{"last/m"});
    EXPECT_GT(pages, 1u);
}

}  // namespace
}  // namespace tablemap::test
