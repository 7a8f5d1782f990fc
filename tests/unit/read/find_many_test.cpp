// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/readings.hpp"
#include "support/waiting_stores.hpp"
#include "tablemap/async.hpp"

#include <exception>
#include <future>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using key = table<reading>::key_type;

/// Numbers, -1 for what is not there.
std::vector<std::int32_t> numbers(std::vector<std::optional<tablemap::entity<reading>>> const& found) {
    std::vector<std::int32_t> all;
    for (auto const& e : found) all.push_back(e ? e->value.number : -1);
    return all;
}

std::vector<key> keys_between(std::int32_t from, std::int32_t to) {
    std::vector<key> keys;
    for (auto n : counting(from, to)) keys.push_back({"a", n});
    return keys;
}

class find_many : public ::testing::Test {
protected:
    void SetUp() override { put_readings(store_, "a", 0, 40); }

    store_ptr store_ = store_of_readings();
    table<reading> readings_{store_, readings_table};
};

TEST_F(find_many, keeps_the_order_asked_and_leaves_a_gap_for_what_is_absent) {
    EXPECT_THAT(numbers(readings_.find_many({{"a", 7}, {"a", 99}, {"a", 3}, {"b", 3}, {"a", 30}})),
                ElementsAre(7, -1, 3, -1, 30));
}

TEST_F(find_many, of_nothing_asks_nothing) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{});
    EXPECT_THAT((table<reading>{s, readings_table}.find_many({})), IsEmpty());
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST_F(find_many, reads_a_key_once_that_comes_twice) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{
        {"find Readings [a] [r_0001]", answer_row(R"({"PartitionKey":"a","RowKey":"r_0001"})", "E")},
        {"find Readings [a] [r_0002]", response_failure(service_errc::resource_not_found)}});
    table<reading> const t{s, readings_table};
    EXPECT_THAT(numbers(t.find_many({{"a", 1}, {"a", 2}, {"a", 1}, {"a", 2}})), ElementsAre(1, -1, 1, -1));
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST_F(find_many, finds_more_than_are_asked_at_once) {
    for (std::size_t at_once : {0U, 1U, 3U, 40U, 100U})
        EXPECT_EQ(numbers(readings_.find_many(keys_between(0, 40), at_once)), counting(0, 40)) << at_once;
}

TEST_F(find_many, gives_entities_with_their_etags) {
    auto found = readings_.find_many({{"a", 7}});
    ASSERT_TRUE(found[0]);
    found[0]->value.level = 70;
    readings_.replace(*found[0]);
    EXPECT_EQ(readings_.find("a", 7)->value.level, 70);
}

TEST_F(find_many, asks_a_remote_store_for_a_bounded_number_at_once) {
    auto const s = std::make_shared<meeting_store>(store_, 5);
    table<reading> const t{s, readings_table};
    EXPECT_EQ(numbers(t.find_many(keys_between(0, 40), 5)), counting(0, 40));
    EXPECT_EQ(s->most_at_once(), 5u);
}

TEST_F(find_many, ends_with_the_first_error_and_says_where) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{
        {"find Readings [a] [r_0001]", answer_row(R"({"PartitionKey":"a","RowKey":"r_0001"})", "E")},
        {"find Readings [a] [r_0002]", response_failure(service_errc::server_busy)}});
    table<reading> const t{s, readings_table};
    auto const found = t.try_find_many({{"a", 1}, {"a", 2}, {"a", 3}, {"a", 4}}, 2);
    ASSERT_TRUE(failed_with(found, service_errc::server_busy));
    EXPECT_EQ(found.error().table(), readings_table);
    EXPECT_THAT(found.error().what(), HasSubstr("find_many"));
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST_F(find_many, of_a_missing_table_is_an_error) {
    table<reading> const t{store_, "Missing"};
    EXPECT_TRUE(failed_with(t.try_find_many({{"a", 1}}), service_errc::table_not_found));
    EXPECT_THROW(t.find_many({{"a", 1}}), error);
}

TEST_F(find_many, of_a_key_that_cannot_be_made_sends_nothing) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{});
    table<reading> const t{s, readings_table};
    auto const found = t.try_find_many({{"a", 1}, {"a/b", 2}});
    ASSERT_TRUE(failed_with(found, library_errc::invalid_key));
    EXPECT_EQ(found.error().member(), "site");
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST_F(find_many, of_a_row_that_cannot_be_read_says_which_property) {
    auto const s = std::make_shared<scripted_store>(
        std::vector<exchange>{{"find", answer_row(R"({"PartitionKey":"a","RowKey":"r_0001","level":"high"})", "E")}});
    auto const found = table<reading>{s, readings_table}.try_find_many({{"a", 1}});
    ASSERT_TRUE(failed_with(found, library_errc::type_mismatch));
    EXPECT_EQ(found.error().member(), "level");
    EXPECT_EQ(found.error().table(), readings_table);
}

TEST_F(find_many, completes_a_handler) {
    async_table<reading> const t{std::make_shared<meeting_store>(store_, 4), readings_table};
    std::promise<std::vector<std::int32_t>> found;
    t.find_many(keys_between(0, 40), 4, [&](std::exception_ptr, auto rows) { found.set_value(numbers(rows)); });
    EXPECT_EQ(found.get_future().get(), counting(0, 40));
}

}  // namespace
}  // namespace tablemap::test
