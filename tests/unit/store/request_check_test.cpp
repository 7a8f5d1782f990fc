// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/request_check.hpp"

#include "support/answers.hpp"

#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

/// The rules of form are tested where requests are sent: tests/unit/rest/request_check_test.cpp.
namespace tablemap::test {
namespace {

TEST(check_request, takes_etags_of_every_store_for_conditions) {
    for (auto const* etag : {"*", "W/\"17\"", "W/\"\"", "W/\"\xC3\xA4\""}) {
        write_operation const o{.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = etag};
        EXPECT_TRUE(check_request(write_entity{"Employees", o})) << etag;
    }
}

TEST(check_call, lets_a_call_without_limits_pass) { EXPECT_TRUE(check_call({})); }

TEST(check_call, asks_the_clock_of_the_call) {
    testing::fixed_clock clock;
    call_options const options{.deadline = clock.now() + std::chrono::seconds{1}, .clock = &clock};
    EXPECT_TRUE(check_call(options));
    clock.advance(std::chrono::seconds{1});
    EXPECT_TRUE(failed_with(check_call(options), library_errc::deadline_exceeded));
}

TEST(check_call, refuses_a_call_that_was_stopped) {
    std::stop_source stop;
    call_options options;
    options.stop = stop.get_token();
    EXPECT_TRUE(check_call(options));
    stop.request_stop();
    EXPECT_TRUE(failed_with(check_call(options), library_errc::cancelled));
}

}  // namespace
}  // namespace tablemap::test
