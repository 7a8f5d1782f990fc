// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/testing/faulty_store.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>

namespace tablemap::test {
namespace {

class table_paging : public employees_test {
protected:
    /// Employees [from, to) of Sales whose age is their number.
    void insert_aged(std::int32_t from, std::int32_t to) {
        for (auto id = from; id < to; ++id)
            employees().insert(
                {.department = "Sales", .id = id, .first_name = "Name " + std::to_string(id), .age = id});
    }

    auto sales() { return employees().query(partition("Sales")); }

    std::vector<std::int32_t> take(query_range<employee>& range, std::size_t rows) {
        std::vector<std::int32_t> found;
        for (; rows > 0; --rows)
            if (auto const e = value_or_throw(range.try_next())) found.push_back(e->value.id);
        return found;
    }
};
TABLEMAP_ON_EVERY_STORE(table_paging);

// ---- pages ----------------------------------------------------------------------------------------------------------

TEST_P(table_paging, gives_every_row_once_however_many_there_are) {
    for (std::int32_t const rows : {0, 1, 999, 1000, 1001}) {
        auto const department = "Sales" + std::to_string(rows);
        insert_ids(department, 0, rows);
        for (std::size_t const size : {1U, 7U, 1000U}) {
            if (size == 1 && rows > 1 && (the_store().capabilities().remote || rows != 999))
                continue;  // a round trip each
            EXPECT_EQ(ids(employees().query(partition(department)).page_size(size)), counting(0, rows));
        }
        EXPECT_EQ(ids(employees().query(partition(department)).read_ahead()), counting(0, rows));
        EXPECT_EQ(employees().query(partition(department)).count(), static_cast<std::size_t>(rows));
    }
}

TEST_P(table_paging, gives_every_row_of_twenty_five_thousand) {
    if (the_store().capabilities().remote) GTEST_SKIP() << "takes long on the emulator";
    insert_ids("Sales", 0, 25'000);
    EXPECT_EQ(ids(sales()), counting(0, 25'000));
    EXPECT_EQ(sales().count(), 25'000u);
}

TEST_P(table_paging, gives_every_row_once_in_pages_of_any_size) {
    insert_ids("Sales", 0, 200);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        auto const short_pages = std::make_shared<tablemap::testing::faulty_store>(shared_store());
        short_pages->shorten_pages(seed);
        tablemap::table<employee> const t{short_pages, table().table()};
        EXPECT_EQ(ids(t.query(partition("Sales")).page_size(20)), counting(0, 200));
        EXPECT_GE(short_pages->requests(), 10u);
        EXPECT_EQ(ids(t.query(partition("Sales")).page_size(20).top(50)), counting(0, 50));
        EXPECT_EQ(t.query(partition("Sales")).page_size(20).count(), 200u);
    }
}

TEST_P(table_paging, loses_and_repeats_no_row_while_others_come_and_go) {
    std::vector<std::string> even;
    for (auto id = 1000; id < 1100; id += 2) even.push_back("empid_00" + std::to_string(id));
    put_rows("Sales", even);
    auto range = sales().page_size(10);
    auto found = take(range, 15);  // in the second page, which ends at 1038
    ASSERT_EQ(found.back(), 1028);
    employees().insert({.department = "Sales", .id = 1001});
    employees().insert({.department = "Sales", .id = 1033});
    employees().insert({.department = "Sales", .id = 1041});
    for (auto const id : {1000, 1026, 1030, 1040, 1042, 1098}) employees().erase_any({"Sales", id});
    for (auto const id : take(range, 1000)) found.push_back(id);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
    for (auto id = 1044; id < 1098; id += 2) EXPECT_TRUE(std::binary_search(found.begin(), found.end(), id)) << id;
    for (auto id = 1000; id < 1040; id += 2) EXPECT_TRUE(std::binary_search(found.begin(), found.end(), id)) << id;
    for (auto const id : {1001, 1042, 1098}) EXPECT_FALSE(std::binary_search(found.begin(), found.end(), id)) << id;
}

TEST_P(table_paging, gives_the_first_rows_across_pages) {
    insert_ids("Sales", 0, 30);
    EXPECT_EQ(ids(sales().top(25).page_size(10)), counting(0, 25));
    EXPECT_EQ(ids(sales().top(30)), counting(0, 30));
    EXPECT_EQ(ids(sales().top(1000)), counting(0, 30));
    EXPECT_TRUE(ids(sales().top(0)).empty());
}

TEST_P(table_paging, tells_the_first_entity_and_how_many_there_are) {
    EXPECT_FALSE(sales().first());
    EXPECT_FALSE(sales().exists());
    EXPECT_EQ(sales().count(), 0u);
    insert_ids("Sales", 5, 30);
    insert_ids("Audit", 1, 4);
    EXPECT_EQ(sales().first()->value.id, 5);
    EXPECT_TRUE(sales().exists());
    EXPECT_EQ(sales().count(), 25u);
    EXPECT_EQ(sales().page_size(7).count(), 25u);
    EXPECT_EQ(sales().top(9).count(), 9u);
    EXPECT_EQ(employees().query(partition("Sales"), row_range(10, 20)).count(), 10u);
    EXPECT_EQ(employees().scan().count(), 28u);
}

TEST_P(table_paging, counts_what_meets_a_condition) {
    insert_aged(0, 20);
    EXPECT_EQ(sales().where(field<&employee::age> >= 15).count(), 5u);
    EXPECT_EQ(employees().scan(field<&employee::age> < 3).count(), 3u);
    EXPECT_EQ(sales().where(field<&employee::age> >= 15).page_size(2).first()->value.id, 15);
    EXPECT_TRUE(sales().where(field<&employee::age> == 19).exists());
    EXPECT_FALSE(sales().where(field<&employee::age> == 20).exists());
    EXPECT_EQ(ids(sales().where(field<&employee::age> > 4).where(field<&employee::age> < 8)), counting(5, 8));
}

// ---- parts of entities ----------------------------------------------------------------------------------------------

struct person {
    std::string first_name{};
    std::int32_t id{};
};

TEST_P(table_paging, reads_some_members_of_each_entity) {
    insert_aged(0, 12);
    std::int32_t next = 0;
    for (auto const& [age, department] : sales().select<&employee::age, &employee::department>().page_size(5)) {
        EXPECT_EQ(age, next++);
        EXPECT_EQ(department, "Sales");
    }
    EXPECT_EQ(next, 12);
    for (auto const& [id] : sales().select<&employee::id>()) EXPECT_EQ(id, 12 - next--);
    for (auto const& p : sales().select_into<person>()) EXPECT_EQ(p.first_name, "Name " + std::to_string(p.id));
}

// ---- as a range -----------------------------------------------------------------------------------------------------

TEST_P(table_paging, is_a_range_of_the_standard_library) {
#if defined(__clang__) && __clang_major__ < 16
    GTEST_SKIP() << "clang before 16 cannot compile the views of libstdc++";
#else
    static_assert(std::ranges::input_range<query_range<employee>> && std::ranges::view<query_range<employee>>);
    insert_aged(0, 40);
    auto odd_names = sales().page_size(7) | std::views::filter([](auto const& e) { return e.value.age % 2 == 1; }) |
                     std::views::transform([](auto const& e) { return e.value.first_name; }) | std::views::take(3);
    std::vector<std::string> found;
    for (auto const& name : odd_names) found.push_back(name);
    EXPECT_EQ(found, (std::vector<std::string>{"Name 1", "Name 3", "Name 5"}));
    EXPECT_EQ(std::ranges::count_if(sales(), [](auto const& e) { return e.value.age < 10; }), 10);
#endif
}

TEST_P(table_paging, gives_entities_to_move_from) {
    insert_aged(0, 12);
    std::vector<tablemap::entity<employee>> all;
    auto range = sales().page_size(5);
    for (auto& e : range) all.push_back(std::move(e));
    ASSERT_EQ(all.size(), 12u);
    EXPECT_EQ(all[7].value.first_name, "Name 7");
    all[7].value.age = 70;
    employees().replace(all[7]);
}

// ---- cursors --------------------------------------------------------------------------------------------------------

TEST_P(table_paging, goes_on_from_a_cursor_in_another_table_object) {
    insert_ids("Sales", 0, 40);
    for (std::size_t const rows : {1U, 7U, 10U, 13U}) {
        std::vector<std::int32_t> found;
        std::optional<std::string> cursor;
        do {
            tablemap::table<employee> const t{shared_store(), table().table()};
            auto range = t.query(partition("Sales")).page_size(10);
            if (cursor) range = std::move(range).from(*cursor);
            auto const more = take(range, rows);
            found.insert(found.end(), more.begin(), more.end());
            cursor = range.cursor();
        } while (cursor && found.size() <= 40);
        EXPECT_EQ(found, counting(0, 40)) << rows;
    }
}

TEST_P(table_paging, goes_on_from_a_cursor_while_rows_come_and_go) {
    insert_ids("Sales", 0, 40);
    auto range = sales().page_size(10);
    auto found = take(range, 15);
    auto const cursor = *range.cursor();
    for (auto const id : {10, 14, 15, 20}) employees().erase_any({"Sales", id});
    insert_ids("Sales", 40, 42);
    auto const rest = ids(sales().page_size(10).from(cursor));
    auto expected = counting(16, 42);
    std::erase(expected, 20);
    EXPECT_EQ(rest, expected);
}

TEST_P(table_paging, refuses_what_is_no_cursor_of_the_query) {
    insert_ids("Sales", 0, 5);
    auto range = sales();
    take(range, 2);
    auto const cursor = *range.cursor();
    auto const refused = [](query_range<employee> other) {
        return failed_with(other.try_next(), library_errc::invalid_cursor);
    };
    EXPECT_TRUE(refused(employees().query(partition("Audit")).from(cursor)));
    EXPECT_TRUE(refused(employees().query(partition("Sales"), row_range(0, 9)).from(cursor)));
    EXPECT_TRUE(refused(sales().where(field<&employee::age> > 1).from(cursor)));
    EXPECT_TRUE(refused(employees().scan().from(cursor)));
    EXPECT_TRUE(refused(tablemap::table<employee>{shared_store(), "Another"}.query(partition("Sales")).from(cursor)));
    for (auto const* garbage : {"", "1", "garbage", "1????", "2AAAA"}) EXPECT_TRUE(refused(sales().from(garbage)));
    EXPECT_EQ(ids(sales().from(cursor)), counting(2, 5));
}

// ---- several partitions ---------------------------------------------------------------------------------------------

TEST_P(table_paging, merges_partitions_by_their_keys) {
    insert_ids("Sales", 0, 12);
    insert_ids("Audit", 3, 9);
    insert_ids("Legal", 1, 2);
    std::vector<std::string> found;
    auto const list = std::vector{partition("Sales"), partition("None"), partition("Audit")};
    for (auto const& e : employees().query(list).page_size(5)) found.push_back(e.value.department);
    std::vector<std::string> expected(6, "Audit");
    expected.insert(expected.end(), 12, "Sales");
    EXPECT_EQ(found, expected);
    EXPECT_EQ(ids(employees().query(list).in_any_order()).size(), 18u);
    EXPECT_EQ(employees().query(list).count(), 18u);
    EXPECT_EQ(ids(employees().scan().split_at({"B", "M"})), ids(employees().scan()));
}

TEST_P(table_paging, finds_many_entities_in_the_order_asked) {
    insert_ids("Sales", 0, 30);
    std::vector<tablemap::table<employee>::key_type> keys;
    for (auto id = 35; id-- > 0;) keys.push_back({"Sales", id});
    auto const found = employees().find_many(keys, 4);
    ASSERT_EQ(found.size(), 35u);
    for (std::int32_t i = 0; i < 35; ++i) {
        auto const& e = found[static_cast<std::size_t>(i)];
        EXPECT_EQ(e ? e->value.id : -1, i < 5 ? -1 : 34 - i);
    }
}

}  // namespace
}  // namespace tablemap::test
