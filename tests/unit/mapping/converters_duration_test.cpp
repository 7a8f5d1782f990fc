// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/duration.hpp"

#include "support/answers.hpp"
#include "support/random.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using namespace std::chrono_literals;
using test::failed_with;

using small_seconds = std::chrono::duration<std::int8_t>;
using unsigned_seconds = std::chrono::duration<std::uint64_t>;
using limits = std::numeric_limits<std::int64_t>;

TEST(duration, is_stored_as_a_count_of_100_ns) {
    EXPECT_EQ(convert_to(std::chrono::seconds{1}), 10'000'000);
    EXPECT_EQ(convert_to(std::chrono::milliseconds{-5}), -50'000);
    EXPECT_EQ(convert_to(std::chrono::hours{24}), 864'000'000'000);  // TimeSpan.TicksPerDay
    EXPECT_EQ(convert_to(tick_duration{7}), 7);
    EXPECT_EQ(convert_to(std::chrono::duration<std::int64_t, std::ratio<1, 3'200>>{2}), 6'250);
}

TEST(duration, reads_back) {
    EXPECT_EQ(*convert_from<std::chrono::seconds>(20'000'000), 2s);
    EXPECT_EQ(*convert_from<std::chrono::minutes>(-600'000'000), -1min);
    EXPECT_EQ(convert_from<small_seconds>(-1'280'000'000)->count(), -128);
}

TEST(duration, refuses_what_64_bits_do_not_hold) {
    EXPECT_EQ(convert_to(std::chrono::seconds{922'337'203'685}), 9'223'372'036'850'000'000);
    for (auto const s : {922'337'203'686, -922'337'203'686})
        EXPECT_TRUE(failed_with(convert_to(std::chrono::seconds{s}), library_errc::value_out_of_range));
    EXPECT_TRUE(failed_with(convert_to(std::chrono::hours::max()), library_errc::value_out_of_range));
    EXPECT_TRUE(failed_with(convert_to(unsigned_seconds::max()), library_errc::value_out_of_range));
}

TEST(duration, refuses_a_stored_count_that_is_no_whole_number_of_the_unit) {
    EXPECT_TRUE(failed_with(convert_from<std::chrono::seconds>(10'000'001), library_errc::type_mismatch));
    EXPECT_TRUE(failed_with(convert_from<std::chrono::microseconds>(-5), library_errc::type_mismatch));
}

TEST(duration, refuses_a_stored_count_beyond_the_members_type) {
    EXPECT_TRUE(failed_with(convert_from<small_seconds>(1'280'000'000), library_errc::type_mismatch));
    EXPECT_TRUE(failed_with(convert_from<unsigned_seconds>(-10'000'000), library_errc::type_mismatch));
    EXPECT_EQ(convert_from<tick_duration>(limits::min())->count(), limits::min());
}

TEST(duration, any_count_reads_back) {
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        auto const count = random.integer();
        EXPECT_EQ(convert_from<tick_duration>(*convert_to(tick_duration{count}))->count(), count);
        auto const stored = convert_to(std::chrono::milliseconds{count});
        EXPECT_EQ(stored.has_value(), count <= limits::max() / 10'000 && count >= limits::min() / 10'000) << count;
        if (!stored) continue;
        EXPECT_EQ(convert_from<std::chrono::milliseconds>(*stored)->count(), count);
    }
}

}  // namespace
