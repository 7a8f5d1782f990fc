// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/faulty_store.hpp"

#include "support/waiting_stores.hpp"

#include "store/waiting_receiver.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gtest/gtest.h>

namespace tablemap::testing {
namespace {

class faults : public ::testing::Test {
protected:
    void behind(std::vector<exchange> script) {
        inner = std::make_shared<scripted_store>(std::move(script));
        store.emplace(inner);
    }
    response create(call_options const& o = {}) { return store->execute(create_table{"T"}, o); }
    response create_asynchronously(call_options const& o = {}) {
        request const r = create_table{"T"};
        detail::waiting_receiver arrived;
        store->async_execute(r, o, arrived);
        return arrived.wait();
    }

    /// Expects the error of a creation with a fault, and the number of requests that the inner store saw.
    void expect_create(fault f, call_options const& o, std::error_code code, outcome out, std::size_t carried_out) {
        for (bool const asynchronous : {false, true}) {
            behind({{"create", answer_ok()}});
            store->fail_next(f);
            auto const r = asynchronous ? create_asynchronously(o) : create(o);
            ASSERT_TRUE(r.failure);
            EXPECT_EQ(r.failure->code(), code) << r.failure->what();
            EXPECT_EQ(r.outcome(), out);
            EXPECT_EQ(inner->asked(), carried_out);
        }
    }

    std::shared_ptr<scripted_store> inner;
    std::optional<faulty_store> store;
};

TEST_F(faults, busy_is_not_carried_out_and_may_ask_to_wait) {
    behind({{"create", answer_ok()}});
    store->fail_next(fault::busy);
    store->set_retry_after(std::chrono::seconds{3});
    auto const r = create();
    EXPECT_EQ(r.failure->code(), service_errc::server_busy);
    EXPECT_EQ(r.outcome(), outcome::not_applied);
    EXPECT_EQ(r.retry_after, std::chrono::seconds{3});
    EXPECT_EQ(inner->asked(), 0u);
    EXPECT_TRUE(create().ok());
}

TEST_F(faults, a_lost_request_is_in_doubt_and_not_carried_out) {
    behind({});
    store->fail_next(fault::lost_before);
    EXPECT_EQ(create().outcome(), outcome::in_doubt);
    EXPECT_EQ(inner->asked(), 0u);
}

TEST_F(faults, a_lost_answer_is_in_doubt_and_carried_out) {
    behind({{"create", answer_ok()}});
    store->fail_next(fault::lost_after);
    EXPECT_EQ(create().outcome(), outcome::in_doubt);
    EXPECT_EQ(inner->asked(), 1u);
}

TEST_F(faults, every_kind_is_met_by_asynchronous_requests_too) {
    fixed_clock clock;
    call_options const o{.deadline = clock.now() + std::chrono::hours{1}, .clock = &clock};
    expect_create(fault::busy, o, service_errc::server_busy, outcome::not_applied, 0);
    expect_create(fault::lost_before, o, library_errc::response_lost, outcome::in_doubt, 0);
    expect_create(fault::lost_after, o, library_errc::response_lost, outcome::in_doubt, 1);
    expect_create(fault::late_before, o, library_errc::deadline_exceeded, outcome::in_doubt, 0);
    expect_create(fault::late_after, o, library_errc::deadline_exceeded, outcome::in_doubt, 1);
    expect_create(fault::truncated, o, transport_errc::response_cut_short, outcome::in_doubt, 1);
    expect_create(fault::reset, o, transport_errc::connection_lost, outcome::in_doubt, 0);
}

TEST_F(faults, a_late_answer_comes_when_the_deadline_is_there) {
    fixed_clock clock;
    call_options const o{.deadline = clock.now() + std::chrono::hours{1}, .clock = &clock};
    expect_create(fault::late_after, o, library_errc::deadline_exceeded, outcome::in_doubt, 1);
    EXPECT_EQ(clock.now(), *o.deadline);
}

TEST_F(faults, a_late_answer_without_a_deadline_is_a_transport_that_gave_up) {
    expect_create(fault::late_before, {}, transport_errc::timed_out, outcome::in_doubt, 0);
}

TEST_F(faults, a_late_answer_does_not_block_an_asynchronous_caller) {
    behind({});
    store->fail_next(fault::late_before);
    std::stop_source end;
    call_options const o{.deadline = within(std::chrono::hours{1}), .stop = end.get_token()};
    request const r = create_table{"T"};
    detail::waiting_receiver arrived;
    store->async_execute(r, o, arrived);
    end.request_stop();
    EXPECT_EQ(arrived.wait().failure->code(), library_errc::cancelled);
}

TEST_F(faults, an_asynchronous_request_does_not_wait_for_a_remote_store) {
    auto const pending = std::make_shared<test::pending_store>(
        std::make_shared<scripted_store>(std::vector<exchange>{{"create", answer_ok()}}));
    faulty_store faulty{pending};
    faulty.fail_next(fault::lost_after);
    request const r = create_table{"T"};
    detail::waiting_receiver arrived;
    call_options const o;
    faulty.async_execute(r, o, arrived);
    EXPECT_EQ(pending->pending(), 1u);
    pending->answer_all();
    EXPECT_EQ(arrived.wait().outcome(), outcome::in_doubt);
}

TEST_F(faults, a_truncated_read_ends_in_its_middle) {
    behind({{"find", answer_row("{\"Age\":34}", "E1")}});
    store->fail_next(fault::truncated);
    auto const r = store->execute(get_entity{"T", "p", "r"}, {});
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.body, "{\"Age");
}

TEST_F(faults, a_lost_read_is_just_not_applied_and_worth_another_try) {
    behind({});
    store->fail_next(fault::lost_before);
    auto const r = store->execute(get_entity{"T", "p", "r"}, {});
    EXPECT_EQ(r.outcome(), outcome::not_applied);
    EXPECT_TRUE(r.failure->retryable());
}

TEST_F(faults, a_planned_fault_lets_others_pass_first) {
    behind({{"create", answer_ok()}, {"create", answer_ok()}});
    store->fail_next(fault::busy, 1);
    EXPECT_TRUE(create().ok());
    EXPECT_FALSE(create().ok());
    EXPECT_TRUE(create().ok());
    EXPECT_EQ(store->faults(), 1u);
    EXPECT_EQ(store->requests(), 3u);
}

TEST_F(faults, stop_when_told_to) {
    behind({{"create", answer_ok()}, {"create", answer_ok()}});
    store->fail_next(fault::busy, 1);
    store->fail_randomly(1, 42);
    store->stop_failing();
    EXPECT_TRUE(create().ok());
    EXPECT_TRUE(create().ok());
}

TEST_F(faults, random_faults_repeat_with_their_seed) {
    auto run = [&] {
        behind(std::vector<exchange>(1000, {"create", answer_ok()}));
        store->fail_randomly(0.3, 42);
        std::string pattern;
        for (int i = 0; i < 1000; ++i) pattern += create().ok() ? '.' : 'x';
        return pattern;
    };
    auto const first = run();
    EXPECT_EQ(run(), first);
    EXPECT_GT(store->faults(), 200u);
    EXPECT_LT(store->faults(), 400u);
}

// --- other clients ---------------------------------------------------------------------------------------------------

TEST_F(faults, a_write_that_is_overtaken_is_carried_out_behind_the_request_after_it) {
    behind({{"delete table T", answer_ok()}, {"create table T", answer_ok()}, {"list tables", answer_ok()}});
    store->fail_next(fault::overtaken);
    auto const r = create();
    EXPECT_EQ(r.failure->code(), library_errc::response_lost);
    EXPECT_EQ(r.outcome(), outcome::in_doubt);
    EXPECT_EQ(inner->asked(), 0u);
    EXPECT_TRUE(store->execute(delete_table{"T"}, {}).ok());
    EXPECT_EQ(inner->asked(), 1u);
    EXPECT_TRUE(store->execute(list_tables{}, {}).ok());
    EXPECT_EQ(inner->asked(), 3u);
    EXPECT_TRUE(inner->complaints().empty());
}

TEST_F(faults, an_overtaken_write_keeps_what_it_borrowed) {
    behind({{R"(insert T [p] [r] {"x":1})", answer_ok()}, {R"(transaction T: insert [p] [a] {}; erase [p] [b])", {}}});
    {
        std::string table{"T"}, p{"p"}, r{"r"}, body{R"({"x":1})"};
        std::vector<write_operation> const group{
            {.kind = write_kind::insert, .partition_key = p, .row_key = "a", .body = "{}"},
            {.kind = write_kind::erase, .partition_key = p, .row_key = "b", .if_match = "*"}};
        store->fail_next(fault::overtaken, 0);
        store->fail_next(fault::overtaken, 1);
        store->set_overtaking(5);
        store->execute(write_entity{table, {.partition_key = p, .row_key = r, .body = body}}, {});
        store->execute(transact{table, group}, {});
    }
    EXPECT_EQ(inner->asked(), 0u);
    store->carry_out_overtaken();
    EXPECT_TRUE(inner->complaints().empty());
}

TEST_F(faults, another_client_acts_before_the_request_that_is_named) {
    for (bool const asynchronous : {false, true}) {
        behind({{"create table T", answer_ok()}, {"delete table T", answer_ok()}, {"create table T", answer_ok()}});
        store->act_before([](tablemap::store& s) { EXPECT_TRUE(s.execute(delete_table{"T"}, {}).ok()); }, 1);
        for (int i = 0; i < 2; ++i) EXPECT_TRUE((asynchronous ? create_asynchronously() : create()).ok());
        EXPECT_TRUE(inner->complaints().empty());
    }
}

}  // namespace
}  // namespace tablemap::testing
