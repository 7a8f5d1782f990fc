// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/bulk_rows.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <functional>
#include <set>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Shares partitions with items.
struct other_type {
    std::string partition{};
    std::string name{};
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::other_type> {
    static constexpr auto partition_key = key(part<&test::other_type::partition>);
    static constexpr auto row_key = key("other");
};

namespace tablemap::test {
namespace {

/// Calls a function before the next transaction that it passes on.
class interfered_store final : public store {
public:
    explicit interfered_store(store_ptr inner) : inner_(std::move(inner)) {}

    std::function<void()> before_next_write{};

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        if (is_write(r) && before_next_write) std::exchange(before_next_write, {})();
        return inner_->execute(r, o);
    }

private:
    store_ptr inner_;
};

class erase_where_test : public ::testing::Test {
protected:
    erase_where_test() {
        items.create();
        call.clock = &clock;
        for (int p = 0; p < 3; ++p)
            for (int i = 0; i < 150; ++i) items.insert(item(p, i));
    }

    static bulk_item item(int partition, int i) {
        auto const digits = std::to_string(i);
        return {"p" + std::to_string(partition), std::string(3 - digits.size(), '0') + digits, i};
    }

    std::size_t left() { return items.scan().count(); }

    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faults = std::make_shared<faulty_store>(memory);
    std::shared_ptr<interfered_store> interfered = std::make_shared<interfered_store>(memory);
    table<bulk_item> items{memory, "Items"};
    tablemap::testing::fixed_clock clock;
    call_options call;
};

TEST_F(erase_where_test, erases_what_the_query_finds) {
    auto const report = items.erase_where(items.query(partition("p1")).where(field<&bulk_item::value> >= 40), {}, call);
    EXPECT_EQ(report.found(), 110u);
    EXPECT_EQ(report.erased(), 110u);
    EXPECT_TRUE(report.complete());
    EXPECT_FALSE(report.cursor);
    EXPECT_EQ(left(), 340u);
    EXPECT_EQ(items.query(partition("p1")).count(), 40u);
}

TEST_F(erase_where_test, erases_over_partitions_and_pages) {
    auto const report = items.erase_where(items.scan().page_size(7), {}, call);
    EXPECT_EQ(report.erased(), 450u);
    EXPECT_EQ(left(), 0u);
}

TEST_F(erase_where_test, erases_no_more_than_the_query_asks_for) {
    EXPECT_EQ(items.erase_where(items.scan().top(10), {}, call).erased(), 10u);
    EXPECT_EQ(left(), 440u);
    EXPECT_EQ(items.erase_where(items.scan().top(0), {}, call).found(), 0u);
}

TEST_F(erase_where_test, refuses_the_first_rows_of_partitions_that_reading_would_merge) {
    auto const both = [&] { return items.query(std::vector{partition("p1"), partition("p0")}); };
    auto const report = items.erase_where(both().top(10), {}, call);
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), library_errc::unsupported);
    EXPECT_FALSE(report.cursor);
    EXPECT_EQ(left(), 450u);
    EXPECT_EQ(items.erase_where(both().top(10).in_any_order(), {}, call).erased(), 10u);
    EXPECT_EQ(items.erase_where(items.scan().split_at({"p1"}).top(100), {}, call).erased(), 100u);
    EXPECT_EQ(items.query(partition("p2")).count(), 150u) << "ranges of a scan follow one another";
}

TEST_F(erase_where_test, leaves_rows_of_other_types_alone) {
    table<other_type> const others{memory, "Items"};
    others.insert({"p1", {}});
    EXPECT_EQ(items.erase_where(items.scan(), {}, call).erased(), 450u);
    EXPECT_TRUE(others.find("p1"));
}

TEST_F(erase_where_test, looks_again_at_what_was_changed_meanwhile) {
    table<bulk_item> const seen{interfered, "Items"};
    interfered->before_next_write = [&] {
        items.modify({"p0", "003"}, [](bulk_item& i) { i.value = 1'000; });
        items.modify({"p0", "004"}, [](bulk_item& i) { i.value = -1; });
        items.erase_any({"p0", "005"});
    };
    auto const report = seen.erase_where(seen.query(partition("p0")).where(field<&bulk_item::value> >= 0), {}, call);
    EXPECT_EQ(report.found(), 150u);
    EXPECT_EQ(report.erased(), 148u) << "003 under its new etag";
    EXPECT_EQ(report.kept(), 1u);
    EXPECT_EQ(report.gone(), 1u);
    EXPECT_TRUE(report.complete());
    EXPECT_FALSE(clock.waits().empty()) << "the other writer may not have ended";
    EXPECT_EQ(items.find("p0", "004")->value.value, -1);
    EXPECT_EQ(items.query(partition("p0")).count(), 1u);
}

TEST_F(erase_where_test, finds_out_what_became_of_lost_answers) {
    table<bulk_item> const shaky{faults, "Items"};
    faults->fail_randomly(0.2, 7);
    call.retry = exact_retry(8);
    auto const report = shaky.erase_where(shaky.scan().page_size(40), {}, call);
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.erased() + report.gone(), 450u);
    EXPECT_EQ(left(), 0u);
}

TEST_F(erase_where_test, tells_where_to_go_on_when_a_page_cannot_be_read) {
    table<bulk_item> const shaky{faults, "Items"};
    auto const all = [&] { return shaky.scan().page_size(100); };
    faults->fail_next(fault::busy, 3);
    auto const report = shaky.erase_where(all(), {}, call);
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), service_errc::server_busy);
    EXPECT_THAT(report.ended_by->what(), StartsWith("erase_where in table 'Items': the store is busy"));
    EXPECT_EQ(left(), 450 - report.erased());
    ASSERT_TRUE(report.cursor);
    auto const rest = shaky.erase_where(all().from(*report.cursor), {}, call);
    EXPECT_TRUE(rest.complete());
    EXPECT_EQ(left(), 0u);
}

TEST_F(erase_where_test, begins_within_a_page_where_a_cursor_says_so) {
    auto range = items.query(partition("p0")).page_size(50);
    for (int i = 0; i < 60; ++i) static_cast<void>(range.try_next());
    auto const cursor = range.cursor();
    ASSERT_TRUE(cursor);
    EXPECT_EQ(items.erase_where(items.query(partition("p0")).page_size(50).from(*cursor), {}, call).erased(), 90u);
    EXPECT_TRUE(items.find("p0", "059"));
    EXPECT_FALSE(items.find("p0", "060"));
}

TEST_F(erase_where_test, stops_and_goes_on_from_its_cursor) {
    std::stop_source stop;
    call.stop = stop.get_token();
    bulk_options options{.progress = [&](bulk_progress const& p) {
        if (p.stored >= 200) stop.request_stop();
    }};
    auto const report = items.erase_where(items.scan().page_size(100), options, call);
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_EQ(left(), 450 - report.erased());
    ASSERT_TRUE(report.cursor);
    call.stop = {};
    EXPECT_EQ(items.erase_where(items.scan().page_size(100).from(*report.cursor), {}, call).erased(),
              450 - report.erased());
}

TEST_F(erase_where_test, reports_what_is_in_doubt_when_it_is_stopped) {
    table<bulk_item> const shaky{faults, "Items"};
    std::stop_source stop;
    call.stop = stop.get_token();
    faults->fail_next(fault::lost_after, 1);
    bulk_options options{.progress = [&](bulk_progress const& p) {
        if (p.requests == 2) stop.request_stop();
    }};
    auto const report = shaky.erase_where(shaky.query(partition("p0"), row_range("000", "010")), options, call);
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_EQ(report.totals.in_doubt, 10u);
    EXPECT_EQ(left(), 440u);
}

TEST_F(erase_where_test, reports_rows_that_cannot_be_erased) {
    table<bulk_item> const shaky{faults, "Items"};
    faults->fail_next(fault::busy, 1);
    auto const report = shaky.erase_where(shaky.query(partition("p0"), row_range("000", "002")), {}, call);
    EXPECT_EQ(report.totals.failed, 2u);
    ASSERT_THAT(report.problems, SizeIs(2));
    EXPECT_EQ(report.problems[1].key, (entity_key{"p0", "i_001"}));
    EXPECT_THROW(report.require_complete(), error);
}

TEST_F(erase_where_test, refuses_a_query_of_another_table) {
    table<bulk_item> const other{memory, "Other"};
    auto const report = items.erase_where(other.scan(), {}, call);
    EXPECT_EQ(report.ended_by->code(), library_errc::unsupported);
    EXPECT_EQ(
        report.ended_by->details().reason,
        "the query reads table 'Other', and this call erases rows of table 'Items'; call erase_where of the table "
        "that is queried");
    EXPECT_EQ(left(), 450u);
}

TEST_F(erase_where_test, refuses_a_query_of_another_store) {
    table<bulk_item> const other{value_or_throw(open_embedded({.path = ":memory:"})), "Items"};
    auto const report = items.erase_where(other.scan(), {}, call);
    EXPECT_EQ(report.ended_by->details().reason, "the query reads table 'Items' of another store; query this table");
    EXPECT_EQ(left(), 450u);
}

TEST_F(erase_where_test, reports_a_query_that_cannot_be_asked) {
    auto const report = items.erase_where(items.scan().from("no cursor"), {}, call);
    EXPECT_EQ(report.ended_by->code(), library_errc::invalid_cursor);
    EXPECT_EQ(items.erase_where(items.query(std::vector<partition_values<std::string>>{}), {}, call).found(), 0u);
}

}  // namespace
}  // namespace tablemap::test
