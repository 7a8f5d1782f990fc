// SPDX-License-Identifier: Apache-2.0
#include "support/expiry_samples.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace tablemap {
namespace {

/// A type whose table had rows before it had a time.
struct ticket {
    std::string show{};
    std::int32_t seat{};
    std::chrono::sys_seconds until{};
};

/// A type whose rows hold the time in their keys alone.
struct seat_hold {
    std::string show{};
    std::chrono::sys_seconds until{};
    std::int32_t seat{};
};

/// A ticket with more shards.
struct spread_ticket {
    std::string show{};
    std::int32_t seat{};
    std::chrono::sys_seconds until{};
};

}  // namespace

template <> struct mapping<ticket> {
    static constexpr auto partition_key = key(part<&ticket::show>);
    static constexpr auto row_key = key("ticket_", part<&ticket::seat>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(expiry_in<"TicketExpiry">(part<&ticket::until>, spread<2>(part<&ticket::seat>)));
};
template <> struct mapping<seat_hold> {
    static constexpr auto partition_key = key(part<&seat_hold::show>);
    static constexpr auto row_key = key("hold_", part<&seat_hold::until>, "_", part<&seat_hold::seat>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(expiry_in<"HoldExpiry">(part<&seat_hold::until>, spread<2>(part<&seat_hold::seat>)));
};
template <> struct mapping<spread_ticket> {
    static constexpr auto partition_key = key(part<&spread_ticket::show>);
    static constexpr auto row_key = key("ticket_", part<&spread_ticket::seat>.width(6));
    static constexpr auto indexes = tablemap::indexes(
        expiry_in<"TicketExpiry">(part<&spread_ticket::until>, spread<16>(part<&spread_ticket::seat>)));
};

namespace test {
namespace {

using std::chrono::minutes;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// A store that answers each read of an entity with the etag of any version.
class store_without_versions final : public store {
public:
    explicit store_without_versions(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (std::holds_alternative<get_entity>(r)) answer.etag = etag{std::string{any_etag}};
        return answer;
    }

private:
    store_ptr inner_;
};

class adverse_expiry : public ::testing::Test {
protected:
    void SetUp() override {
        tickets.create();
        relay.create_if_not_exists();
    }

    /// Tickets that have expired at noon.
    void insert(std::int32_t count) {
        for (std::int32_t seat = 1; seat <= count; ++seat) tickets.insert({"Aida", seat, seconds_of(-seat)});
        relay.sweep();
    }
    static expiry_report sweep(store_ptr on) {
        return expiry_sweeper{table<ticket>{std::move(on), "Tickets"}, at_noon_and(0)}.sweep(once());
    }
    static std::chrono::sys_seconds seconds_of(int minute) {
        return std::chrono::floor<std::chrono::seconds>(noon_and(minute).time());
    }
    static call_options once() { return {.retry = retry_policy::none()}; }
    bool is_there() const { return raw.find("Aida", "ticket_000001").has_value(); }

    store_ptr store = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(store);
    table<ticket> tickets{store, "Tickets"};
    table<dynamic_entity> raw{store, "Tickets"};
    index_relay<ticket> relay{tickets};
};

TEST_F(adverse_expiry, an_entity_that_is_older_than_the_time_in_its_type_is_not_erased) {
    raw.insert(dynamic_entity{"Aida", "ticket_000001"});
    static_cast<void>(relay.rebuild());
    auto const done = sweep(store);
    EXPECT_EQ(std::pair(done.failed, done.erased), (std::pair<std::size_t, std::size_t>(1, 0)));
    EXPECT_TRUE(is_there());
    ASSERT_TRUE(done.last_failure && !done.complete());
    EXPECT_EQ(done.last_failure->code(), library_errc::missing_property);
}

TEST_F(adverse_expiry, an_entity_that_another_program_stored_without_its_time_is_not_erased) {
    insert(2);
    raw.upsert_replace(dynamic_entity{"Aida", "ticket_000001"});
    auto const done = sweep(store);
    EXPECT_EQ(std::pair(done.failed, done.erased), (std::pair<std::size_t, std::size_t>(1, 1)));
    EXPECT_TRUE(is_there());
}

TEST_F(adverse_expiry, an_entity_that_comes_without_an_etag_of_its_own_is_not_erased) {
    insert(1);
    auto const done = sweep(std::make_shared<store_without_versions>(store));
    EXPECT_EQ(std::pair(done.failed, done.erased), (std::pair<std::size_t, std::size_t>(1, 0)));
    EXPECT_TRUE(is_there());
    ASSERT_TRUE(done.last_failure);
    EXPECT_EQ(done.last_failure->code(), library_errc::malformed_response);
}

TEST_F(adverse_expiry, an_erase_whose_response_was_lost_is_counted_as_gone_once_the_entity_is_not_there) {
    insert(1);
    faulty->fail_next(fault::lost_after, 2);  // behind a page and a look
    auto const done = sweep(faulty);
    EXPECT_EQ(std::pair(done.gone, done.erased), (std::pair<std::size_t, std::size_t>(1, 0)));
    EXPECT_TRUE(done.complete() && !is_there());
}

TEST_F(adverse_expiry, an_erase_whose_responses_are_all_lost_is_in_doubt) {
    insert(1);
    for (std::size_t k = 2; k < 6; ++k) faulty->fail_next(fault::lost_before, k);
    auto const done = sweep(faulty);
    EXPECT_EQ(done.in_doubt, 1U);
    EXPECT_EQ(done.erased + done.gone + done.failed, 0U);
    EXPECT_TRUE(done.last_failure && !done.complete());
}

TEST_F(adverse_expiry, the_smallest_rate_waits_until_the_deadline) {
    insert(2);
    fixed_clock clock;
    auto options = at_noon_and(0, 1);
    options.rows_per_second = 1e-300;
    auto const done = expiry_sweeper{tickets, options}.sweep({.deadline = clock.now() + minutes{1}, .clock = &clock});
    ASSERT_TRUE(done.ended_by && done.cursor);
    EXPECT_EQ(done.ended_by->code(), library_errc::deadline_exceeded);
    EXPECT_EQ(std::pair(done.seen, done.erased), (std::pair<std::size_t, std::size_t>(1, 1)));
}

TEST_F(adverse_expiry, a_store_that_fails_again_and_again_ends_the_sweep_at_the_page_to_go_on_from) {
    insert(8);
    for (std::size_t k = 1; k < 40; ++k) faulty->fail_next(fault::busy, k);
    auto const done = sweep(faulty);
    ASSERT_TRUE(done.ended_by && done.cursor);
    EXPECT_EQ(done.erased, 0U);
    auto const rest = expiry_sweeper{tickets, at_noon_and(0)}.sweep_from(*done.cursor);
    EXPECT_EQ(rest.erased, 8U);
    EXPECT_TRUE(rest.complete() && !is_there());
}

TEST_F(adverse_expiry, a_sweep_may_go_on_from_its_cursor_at_a_later_time) {
    insert(3);
    faulty->fail_next(fault::lost_before, 8);  // behind a page, a look, an erase and the five of a relay
    auto const first =
        expiry_sweeper{table<ticket>{faulty, "Tickets"}, at_noon_and(-2, 1)}.sweep(once());  // two are due
    ASSERT_TRUE(first.ended_by && first.cursor);
    EXPECT_EQ(first.erased, 1U);
    EXPECT_EQ(expiry_sweeper(tickets, at_noon_and(0, 1)).sweep_from(*first.cursor).erased, 2U);
}

TEST_F(adverse_expiry, an_entity_that_two_rows_of_the_index_name_is_erased_once) {
    insert(1);
    table<dynamic_entity> const rows{store, "TicketExpiry"};
    auto row = rows.scan().first().value().value;
    row.row_key += "x";
    rows.insert(row);
    auto const done = sweep(store);
    EXPECT_EQ(std::pair(done.seen, done.erased), (std::pair<std::size_t, std::size_t>(2, 1)));
    EXPECT_EQ(done.gone, 1U);
    EXPECT_TRUE(done.complete());
}

TEST_F(adverse_expiry, a_rebuild_moves_the_rows_to_other_shards) {
    insert(9);
    table<spread_ticket> const moved{store, "Tickets"};
    index_relay<spread_ticket> const its_relay{moved};
    EXPECT_FALSE(its_relay.verify().in_step());
    static_cast<void>(its_relay.rebuild());
    EXPECT_TRUE(its_relay.verify().in_step());
    EXPECT_EQ(rows_in(store, "TicketExpiry"), 9U);
    EXPECT_EQ(expiry_sweeper(moved, at_noon_and(0)).sweep().erased, 9U);
}

TEST_F(adverse_expiry, an_entity_that_holds_its_time_in_its_key_alone_is_erased) {
    table<seat_hold> const holds{store, "Holds"};
    holds.create();
    index_relay<seat_hold> const its_relay{holds};
    its_relay.create_if_not_exists();
    for (int const minute : {-1, 1}) holds.insert({"Aida", seconds_of(minute), 7});
    its_relay.sweep();
    EXPECT_EQ(expiry_sweeper(holds, at_noon_and(0)).sweep().erased, 1U);
    EXPECT_EQ(unexpired_table<seat_hold>(holds, [] { return noon_and(0); }).scan().first()->value.until, seconds_of(1));
}

}  // namespace
}  // namespace test
}  // namespace tablemap
