// SPDX-License-Identifier: Apache-2.0
#include "tablemap/write/retry_on_conflict.hpp"

#include "support/answers.hpp"

#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class conflicts : public ::testing::Test {
protected:
    static error conflict() {
        return error{service_errc::update_condition_not_satisfied, {.action = "commit", .table = "Staff"}};
    }

    /// A function that meets so many conflicts, then returns the number of its calls.
    auto meeting(int count) {
        return [this, count]() -> result<int> {
            if (++calls <= count) return failure{conflict()};
            return calls;
        };
    }

    tablemap::testing::fixed_clock clock{1};
    call_options timed{.clock = &clock};
    int calls = 0;
};

TEST_F(conflicts, are_met_by_another_call_after_a_wait_that_grows) {
    EXPECT_EQ(*try_retry_on_conflict(meeting(8), timed), 9);
    ASSERT_EQ(clock.waits().size(), 8u);
    EXPECT_LE(clock.waits().front(), 4ms);
    for (auto const w : clock.waits()) EXPECT_LE(w, 500ms);
    calls = 0;
    EXPECT_EQ(retry_on_conflict([f = meeting(2)] { return value_or_throw(f()); }, timed), 3);
}

TEST_F(conflicts, end_after_50_tries) {
    auto const r = try_retry_on_conflict(meeting(1000), timed);
    EXPECT_TRUE(failed_with(r, library_errc::too_many_conflicts));
    EXPECT_EQ(calls, 50);
    EXPECT_THAT(r.error().what(), HasSubstr("commit in table 'Staff': another writer was faster every time: it gave up "
                                            "after 50 tries; "));
    calls = 0;
    EXPECT_THROW(retry_on_conflict([f = meeting(1000)] { return value_or_throw(f()); }, timed), error);
}

TEST_F(conflicts, end_at_the_deadline) {
    timed.deadline = clock.now() + 1ms;
    auto const r = try_retry_on_conflict(meeting(1000), timed);
    EXPECT_TRUE(failed_with(r, library_errc::deadline_exceeded));
    EXPECT_THAT(r.error().what(), HasSubstr("the last try met: the entity or blob was changed since it was read"));
}

TEST_F(conflicts, end_when_a_stop_is_requested) {
    std::stop_source stop;
    timed.stop = stop.get_token();
    auto const r = try_retry_on_conflict(
        [&]() -> result<int> {
            if (++calls == 2) stop.request_stop();
            return failure{conflict()};
        },
        timed);
    EXPECT_TRUE(failed_with(r, library_errc::cancelled));
    EXPECT_EQ(calls, 2);
}

TEST_F(conflicts, are_told_from_a_write_in_doubt_and_from_every_other_error) {
    for (auto const& e : {conflict().with(outcome::in_doubt), error{service_errc::entity_already_exists}}) {
        auto const r = try_retry_on_conflict([&]() -> result<void> { return failure{e}; }, timed);
        ASSERT_FALSE(r);
        EXPECT_TRUE(r.error() == e) << r.error().what();
    }
    EXPECT_THROW(retry_on_conflict([] { throw std::domain_error{"no"}; }, timed), std::domain_error);
    EXPECT_TRUE(clock.waits().empty());
}

}  // namespace
}  // namespace tablemap::test
