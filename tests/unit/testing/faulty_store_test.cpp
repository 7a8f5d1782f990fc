// SPDX-License-Identifier: Apache-2.0
#include "tablemap/testing/faulty_store.hpp"

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
    response create() { return store->execute(create_table{"T"}, {}); }

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

}  // namespace
}  // namespace tablemap::testing
