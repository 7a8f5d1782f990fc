// SPDX-License-Identifier: Apache-2.0
#include "patterns/requests.hpp"
#include "support/listed_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/queue/queue.hpp"

#include <string>

namespace tablemap::test {
namespace {

class index_entities_page : public ::testing::Test {
protected:
    void SetUp() override {
        plain.create_if_not_exists();
        with_queue.create_if_not_exists();
        queue{store, "work"}.create();
        for (std::int32_t i = 1; i <= 9; ++i) plain.insert(named_one(i, "Name" + std::to_string(i)));
        for (std::int32_t i = 10; i <= 12; ++i) plain.insert(named_one(i, "Hall"));
        for (std::int32_t i = 20; i <= 22; ++i) small.insert(named_one(i, "Large"));
        for (std::int32_t i = 30; i <= 32; ++i) small.insert(named_one(i, "Long"));
    }

    static listed_employee named_one(std::int32_t i, std::optional<std::string> name) {
        return {.department = "Sales", .id = i, .last_name = std::move(name)};
    }
    std::vector<entity<listed_employee>> find(std::string const& name) const {
        return all.find_all_by<"last_name">(partition("Sales"), name);
    }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    listed_table plain{store, "Employees"};
    listed_table small{store, "Employees", {.row_bytes = 20}};
    listed_table all{with_observer(store, seen), "Employees"};
    listed_table with_queue{with_observer(store, seen), "Others", {.queue = "work"}};
    listed_table with_blobs{with_observer(store, seen), "Employees", {.row_bytes = 20}};
};

TEST_F(index_entities_page, says_how_many_requests_operations_take) {
    auto one = plain.entities().find("Sales", 5).value(), two = plain.entities().find("Sales", 6).value();
    expect_requests(
        "patterns/index-entities.md", *seen,
        {{"`insert` with a value", [&] { all.insert(named_one(101, "Name1")); }},
         {"`insert` without a value", [&] { all.insert(named_one(102, {})); }},
         {"`insert` with a value that is listed in another table",
          [&] { all.insert({.department = "Sales", .id = 103, .city = "Oslo"}); }},
         {"the same, with a queue", [&] { with_queue.insert({.department = "Sales", .id = 103, .city = "Oslo"}); }},
         {"`insert` into a list in a blob", [&] { with_blobs.insert(named_one(104, "Long")); }},
         {"`modify` of another member",
          [&] {
              all.modify({"Sales", 1}, [](listed_employee& e) { ++e.visits; });
          }},
         {"`modify` of a value",
          [&] {
              all.modify({"Sales", 2}, [](listed_employee& e) { e.last_name = "New2"; });
          }},
         {"`replace` of a value",
          [&] {
              one.value.last_name = "New5";
              all.replace(one);
          }},
         {"`upsert_replace` of a new entity with a value", [&] { all.upsert_replace(named_one(105, "Upserted")); }},
         {"`erase` with a value", [&] { all.erase(two); }},
         {"`find_all_by` of 3 entities", [&] { EXPECT_EQ(find("Hall").size(), 3u); }},
         {"`find_all_by` of 3 entities, list in a blob", [&] { EXPECT_EQ(find("Large").size(), 3u); }},
         {"`find_all_by` of a value that nobody has", [&] { EXPECT_TRUE(find("Nobody").empty()); }},
         {"`relay` without an intent", [&] { EXPECT_EQ(all.relay(partition("None")).intents, 0u); }},
         {"`relay` of an insert", [&] { EXPECT_EQ(all.relay().intents, 1u); }}});
}

}  // namespace
}  // namespace tablemap::test
