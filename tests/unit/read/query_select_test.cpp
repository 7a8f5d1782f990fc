// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/readings.hpp"

#include <array>
#include <ranges>
#include <tuple>

namespace tablemap::test {
namespace {

struct address {
    std::string city{};
    std::string street{};

    friend bool operator==(address const&, address const&) = default;
};

struct worker {
    std::string team{};
    std::int32_t id{};
    std::string name{};
    address home{};
    std::optional<address> work{};
    std::array<std::int32_t, 3> hours{};
    double rate{};
};

struct versioned {
    std::string team{};
    std::string first{};
    std::string last{};
};

void split_the_name(dynamic_entity& row) {
    auto const name = *row.try_get<std::string>("name");
    row.set("first", name.substr(0, name.find(' ')));
    row.set("last", name.substr(name.find(' ') + 1));
    row.erase("name");
}

/// Neither key can be read back: what they hash is a property.
struct hashed {
    std::string site{};
    std::string device{};
    std::int32_t level{};
};

/// In buckets by a property.
struct bucketed {
    std::int32_t number{};
    std::string device{};
    std::int32_t level{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::worker> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "worker");
    static constexpr auto partition_key = key(part<&test::worker::team>);
    static constexpr auto row_key = key(part<&test::worker::id>.width(3));
    static constexpr auto members =
        tablemap::members(member<&test::worker::name>.named("Name").required(), member<&test::worker::home>.flattened(),
                          member<&test::worker::work>.flattened(), member<&test::worker::hours>.numbered());
};
template <> struct tablemap::mapping<tablemap::test::versioned> {
    static constexpr auto discriminator = tablemap::discriminator("EntityType", "versioned");
    static constexpr auto versions = tablemap::versions<2>(tablemap::upgrade_from<1>(&test::split_the_name));
    static constexpr auto partition_key = key(part<&test::versioned::team>);
    static constexpr auto row_key = key("v");
};
template <> struct tablemap::mapping<tablemap::test::hashed> {
    static constexpr auto partition_key = key(part<&test::hashed::site>.hashed().also_stored());
    static constexpr auto row_key = key(part<&test::hashed::device>.hashed().also_stored());
};
template <> struct tablemap::mapping<tablemap::test::bucketed> {
    static constexpr auto partition_key = key(spread<3>(part<&test::bucketed::device>.also_stored()));
    static constexpr auto row_key = key(part<&test::bucketed::number>.width(4));
};

namespace tablemap::test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

class query_select : public ::testing::Test {
protected:
    tablemap::table<worker> workers(std::string expected, std::string properties) {
        store_ = std::make_shared<scripted_store>(std::vector<exchange>{
            {std::move(expected),
             answer_page(R"({"value":[{"PartitionKey":"red","RowKey":"007",)" + properties + "}]}")}});
        return {store_, "Workers"};
    }
    void TearDown() override {
        if (!store_) return;
        EXPECT_THAT(store_->complaints(), IsEmpty());
    }

private:
    std::shared_ptr<scripted_store> store_;
};

constexpr char const* red = "query Workers [red, red] [*] where … select ";

TEST_F(query_select, asks_for_the_columns_of_the_members_and_what_tells_the_type) {
    auto t = workers(red + std::string{"EntityType,Name,rate"}, R"("EntityType":"worker","rate":2.5,"Name":"Don")");
    std::vector<std::tuple<double, std::string>> found;
    for (auto& row : t.query(partition("red")).select<&worker::rate, &worker::name>()) found.push_back(row);
    EXPECT_THAT(found, ElementsAre(std::tuple{2.5, "Don"}));
}

TEST_F(query_select, asks_for_every_column_of_a_member_that_has_several) {
    auto t =
        workers(red + std::string{"EntityType,home_city,home_street,work_city,work_street,hours_0,hours_1,hours_2"},
                R"("EntityType":"worker","home_city":"Graz","home_street":"Ring","hours_1":8)");
    auto const found = *t.query(partition("red")).select<&worker::home, &worker::work, &worker::hours>().first();
    EXPECT_EQ(std::get<0>(found), (address{"Graz", "Ring"}));
    EXPECT_FALSE(std::get<1>(found));
    EXPECT_THAT(std::get<2>(found), ElementsAre(0, 8, 0));
}

TEST_F(query_select, asks_for_the_chosen_elements_of_an_array) {
    auto t = workers(red + std::string{"EntityType,hours_1,hours_2,rate"}, R"("EntityType":"worker","hours_1":8)");
    auto const found =
        *t.query(partition("red")).select<&worker::hours, &worker::rate>(elements<&worker::hours>(1, 3)).first();
    EXPECT_THAT(std::get<0>(found), ElementsAre(0, 8, 0));
}

TEST_F(query_select, of_key_members_asks_for_no_other_property) {
    auto t = workers(red + std::string{"EntityType"}, R"("EntityType":"worker")");
    auto const found = *t.query(partition("red")).select<&worker::id, &worker::team>().first();
    EXPECT_EQ(found, (std::tuple{7, std::string{"red"}}));
    auto const s = std::make_shared<scripted_store>(
        std::vector<exchange>{{"query Readings [a, a] [r_, r`) select PartitionKey",
                               answer_page(R"({"value":[{"PartitionKey":"a","RowKey":"r_0003"}]})")}});
    table<reading> const readings{s, readings_table};
    EXPECT_EQ(*readings.query(partition("a")).select<&reading::number>().first(), std::tuple{3});
    EXPECT_THAT(s->complaints(), IsEmpty());
}

struct badge {
    std::int32_t id{};
    std::string name{};
};

TEST_F(query_select, into_a_smaller_struct_asks_for_its_members) {
    auto t = workers(red + std::string{"EntityType,Name"}, R"("EntityType":"worker","Name":"Don")");
    std::vector<badge> found;
    for (auto& b : t.query(partition("red")).select_into<badge>()) found.push_back(std::move(b));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].id, 7);
    EXPECT_EQ(found[0].name, "Don");
}

TEST_F(query_select, misses_no_required_member) {
    auto t = workers(red + std::string{"EntityType,Name,rate"}, R"("EntityType":"worker","rate":2.5)");
    auto const found = t.query(partition("red")).select<&worker::name, &worker::rate>().first();
    EXPECT_EQ(found, (std::tuple{std::string{}, 2.5}));
}

TEST_F(query_select, may_be_narrowed_before_and_after) {
    auto t = workers(red + std::string{"EntityType,rate top 5"}, R"("EntityType":"worker","rate":2.5)");
    auto range = t.query(partition("red")).where(field<&worker::rate> > 2.0).select<&worker::rate>().top(5);
    EXPECT_EQ(std::ranges::distance(range), 1);
}

TEST_F(query_select, of_a_type_with_versions_reads_whole_rows) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{
        {"query Workers [red, red] [v, v] where …",
         answer_page(
             R"({"value":[{"PartitionKey":"red","RowKey":"v","EntityType":"versioned","name":"Don Hall"}]})")}});
    table<versioned> const t{s, "Workers"};
    EXPECT_EQ(*t.query(partition("red")).select<&versioned::last>().first(), std::tuple{std::string{"Hall"}});
    EXPECT_THAT(s->complaints(), IsEmpty());
}

// ---- keys that cannot be read back ----------------------------------------------------------------------------------

class query_select_hashed : public ::testing::Test {
protected:
    void SetUp() override {
        hashes_.create();
        buckets_.create();
        for (std::int32_t i = 0; i < 40; ++i) {
            auto const device = "device " + std::to_string(i);
            hashes_.insert({.site = i % 2 == 0 ? "even" : "odd", .device = device, .level = i});
            buckets_.insert({.number = i, .device = device, .level = i});
        }
    }

    /// Reads `take` rows at a time, each time going on from a cursor.
    template <class Make> static std::vector<std::int32_t> read_in_parts(Make make, int take) {
        std::vector<std::int32_t> levels;
        std::optional<std::string> cursor;
        do {
            auto range = cursor ? make().from(*cursor) : make();
            for (int i = 0; i < take; ++i)
                if (auto const row = value_or_throw(range.try_next())) levels.push_back(std::get<0>(*row));
            cursor = range.cursor();
        } while (cursor && levels.size() < 200);
        return levels;
    }

    store_ptr store_ = value_or_throw(open_embedded({.path = ":memory:"}));
    table<hashed> hashes_{store_, "Hashes"};
    table<bucketed> buckets_{store_, "Buckets"};
};

TEST_F(query_select_hashed, goes_on_from_a_cursor) {
    auto const sites = std::vector{partition("even"), partition("odd")};
    for (int take : {1, 3, 7}) {
        auto const levels =
            read_in_parts([&] { return hashes_.query(sites).page_size(10).select<&hashed::level>(); }, take);
        EXPECT_THAT(levels, UnorderedElementsAreArray(counting(0, 40))) << take;
    }
}

TEST_F(query_select_hashed, merges_in_the_order_of_whole_rows) {
    auto const sites = std::vector{partition("even"), partition("odd")};
    std::vector<std::int32_t> whole, selected;
    for (auto const& e : hashes_.query(sites)) whole.push_back(e.value.level);
    for (auto const& row : hashes_.query(sites).select<&hashed::level>()) selected.push_back(std::get<0>(row));
    EXPECT_EQ(selected, whole);
}

TEST_F(query_select_hashed, goes_on_from_a_cursor_in_buckets) {
    for (int take : {1, 3, 7})
        EXPECT_EQ(
            read_in_parts([&] { return buckets_.query(partition()).page_size(5).select<&bucketed::level>(); }, take),
            counting(0, 40))
            << take;
}

}  // namespace
}  // namespace tablemap::test
