// SPDX-License-Identifier: Apache-2.0
#include "tablemap/async.hpp"
#include "tablemap/embedded/store.hpp"

#include "support/answers.hpp"
#include "support/operations.hpp"
#include "support/random.hpp"
#include "support/waiting_stores.hpp"

#include <algorithm>
#include <future>

namespace tablemap {
namespace {

struct event {
    std::string site{};
    std::string device{};
    std::int32_t number{};
    std::string text{};

    friend bool operator==(event const&, event const&) = default;
};

struct wide_event {
    std::string device{};
};

}  // namespace

template <> struct mapping<event> {
    static constexpr auto partition_key = key(part<&event::site>, "_", spread<3>(part<&event::device>));
    static constexpr auto row_key = key(part<&event::number>.ordered(), part<&event::device>.escaped());
};

template <> struct mapping<wide_event> {
    static constexpr auto partition_key = key(spread<20>(part<&wide_event::device>));
    static constexpr auto row_key = key(part<&wide_event::device>);
};

namespace test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Devices a, b and c are in the buckets 0, 1 and 2.
std::string page_of(std::initializer_list<std::pair<int, char const*>> rows) {
    std::string body = "{\"value\":[";
    for (auto const& [number, device] : rows) {
        if (body.back() == '}') body += ',';
        std::string key;
        event const e{.device = device, .number = number};
        value_or_throw(detail::make_key(
            key, mapping<event>::row_key, [&]<auto M>(member_part<M> const&)->auto const& { return e.*M; }));
        auto const bucket = std::to_string(device[0] - 'a');
        body += R"({"PartitionKey":"x_)" + bucket + R"(","RowKey":")" + key + R"(","text":"t"})";
    }
    return body + "]}";
}

std::vector<int> numbers_of(query_range<event> range) {
    std::vector<int> numbers;
    for (auto const& e : range) numbers.push_back(e.value.number);
    return numbers;
}

TEST(spread_query, merges_the_pages_of_all_buckets_by_row_key) {
    auto const s = std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{
        {"query Events [x_0, x_0]", answer_page(page_of({{1, "a"}, {4, "a"}}), continuation{"x_0", "n"})},
        {"query Events [x_1, x_1]", answer_page(page_of({{2, "b"}, {6, "b"}}))},
        {"query Events [x_2, x_2]", answer_page(page_of({}), continuation{"x_2", "m"})},
        {"query Events [x_2, x_2]", answer_page(page_of({{3, "c"}}))},
        {"query Events [x_0, x_0]", answer_page(page_of({{5, "a"}, {7, "a"}}))}});
    table<event> const t{s, "Events"};
    EXPECT_THAT(numbers_of(t.query(partition("x"))), ElementsAre(1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(spread_query, asks_again_only_for_the_pages_that_failed) {
    auto const s = std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{
        {"query Events [x_0, x_0]", answer_page(page_of({{2, "a"}}))},
        {"query Events [x_1, x_1]", response_failure(service_errc::operation_timed_out)},
        {"query Events [x_2, x_2]", answer_page(page_of({{3, "c"}}))},
        {"query Events [x_1, x_1]", answer_page(page_of({{1, "b"}}))}});
    table<event> const t{s, "Events"};
    auto range = t.query(partition("x"), {.retry = retry_policy{.attempts = 1}});
    EXPECT_FALSE(range.try_next());
    std::vector<int> numbers;
    for (auto const& e : range) numbers.push_back(e.value.number);
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3));
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(spread_query, is_refused_where_a_store_answers_in_no_order) {
    auto const s = std::make_shared<scripted_store>(std::vector<tablemap::testing::exchange>{},
                                                    capabilities{.name = "scripted", .ordered_results = false});
    table<event> const t{s, "Events"};
    EXPECT_TRUE(failed_with(t.query(partition("x")).try_next(), library_errc::unsupported));
}

TEST(spread_query, asks_for_a_bounded_number_of_pages_at_once) {
    std::vector<tablemap::testing::exchange> const script(20, {"query Events", answer_page(R"({"value":[]})")});
    auto const inner = std::make_shared<scripted_store>(script);
    auto const s = std::make_shared<pending_store>(inner);
    auto range = async_table<wide_event>{s, "Events"}.query(partition());
    std::promise<bool> found;
    range.next([&](std::exception_ptr const& e, auto const& row) { found.set_value(!e && row.has_value()); });
    std::vector<std::size_t> asked;
    while (auto const count = s->pending()) {
        asked.push_back(count);
        for (std::size_t i = 0; i < count; ++i) s->answer_one();
    }
    EXPECT_THAT(asked, ElementsAre(8U, 8U, 4U));
    EXPECT_FALSE(found.get_future().get());
    EXPECT_THAT(inner->complaints(), IsEmpty());
}

// ---- on a store -----------------------------------------------------------------------------------------------------

class spread_table : public ::testing::Test {
protected:
    void SetUp() override {
        store_ = value_or_throw(open_embedded({.path = ":memory:"}));
        table_.emplace(store_, "Events");
        table_->create();
        random_source random;
        for (int i = 0; i < 60; ++i) {
            event const e{.site = i % 7 == 0 ? "south" : "north",
                          .device = "device " + std::to_string(i),
                          .number = static_cast<std::int32_t>(random.below(20)) - 10,
                          .text = "t"};
            table_->insert(e);
            if (e.site == "north") north_.push_back(e);
        }
        std::sort(north_.begin(), north_.end(), [](event const& a, event const& b) {
            return std::tie(a.number, a.device) < std::tie(b.number, b.device);
        });
    }

    store_ptr store_;
    std::optional<table<event>> table_;
    std::vector<event> north_;
};

TEST_F(spread_table, is_read_whole_and_in_order) {
    std::vector<event> found;
    for (auto& e : table_->query(partition("north"))) found.push_back(std::move(e.value));
    EXPECT_EQ(found, north_);
}

TEST_F(spread_table, is_read_in_ranges) {
    std::vector<event> found, expected;
    for (auto& e : table_->query(partition("north"), row_between(-3, 4))) found.push_back(std::move(e.value));
    for (auto const& e : north_)
        if (e.number >= -3 && e.number <= 4) expected.push_back(e);
    EXPECT_EQ(found, expected);
}

TEST_F(spread_table, finds_one_row_in_its_bucket) {
    auto const& e = north_.front();
    auto const found = table_->find(e.site, e.number, e.device);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, e);
}

TEST_F(spread_table, is_read_without_blocking) {
    async_table<event> const t{store_, "Events"};
    auto range = t.query(partition("north"));
    std::vector<event> found;
    auto const next = [&] {
        std::promise<std::optional<entity<event>>> promised;
        range.next([&](std::exception_ptr e, std::optional<entity<event>> row) {
            if (e)
                promised.set_exception(std::move(e));
            else
                promised.set_value(std::move(row));
        });
        return promised.get_future().get();
    };
    while (auto e = next()) found.push_back(std::move(e->value));
    EXPECT_EQ(found, north_);
}

}  // namespace
}  // namespace test
}  // namespace tablemap
