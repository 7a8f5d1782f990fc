// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/ticks.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace std::chrono_literals;
using std::chrono::sys_days;
using std::chrono::sys_time;

// Counts as .NET prints DateTime.Ticks for these dates.
constexpr std::int64_t ticks_of_1970 = 621'355'968'000'000'000;
constexpr std::int64_t ticks_of_2000 = 630'822'816'000'000'000;
constexpr std::int64_t ticks_of_2024_02_29 = 638'447'616'000'000'000;
constexpr std::int64_t ticks_per_day = 864'000'000'000;

ticks parsed(std::string_view text) {
    auto const t = ticks::parse(text);
    if (!t) ADD_FAILURE() << text << ": " << t.error().what();
    return t.value_or(ticks{-1});
}

TEST(ticks_text, is_read_to_the_counts_of_dotnet) {
    EXPECT_EQ(parsed("0001-01-01T00:00:00Z").count(), 0);
    EXPECT_EQ(parsed("1970-01-01T00:00:00Z").count(), ticks_of_1970);
    EXPECT_EQ(parsed("2000-01-01T00:00:00Z").count(), ticks_of_2000);
    EXPECT_EQ(parsed("2024-02-29T00:00:00Z").count(), ticks_of_2024_02_29);
    EXPECT_EQ(parsed("2000-01-01T01:02:03.0000004Z").count(), ticks_of_2000 + 37'230'000'004);
}

TEST(ticks_text, reaches_the_limits_of_the_service) {
    EXPECT_EQ(ticks::min().text(), "1601-01-01T00:00:00Z");
    EXPECT_EQ(ticks::max().text(), "9999-12-31T23:59:59.9999999Z");
    EXPECT_EQ(parsed("1601-01-01T00:00:00Z"), ticks::min());
    EXPECT_EQ(parsed("9999-12-31T23:59:59.9999999Z"), ticks::max());
}

TEST(ticks_text, reaches_year_one) {
    EXPECT_EQ(ticks{}.text(), "0001-01-01T00:00:00Z");
    EXPECT_EQ(ticks{1}.text(), "0001-01-01T00:00:00.0000001Z");
    EXPECT_FALSE(ticks{}.storable());
}

TEST(ticks_text, has_no_trailing_zeros_in_its_fraction) {
    struct {
        std::int64_t fraction;
        std::string_view text;
    } const cases[] = {{0, "Z"},           {1, ".0000001Z"},         {10, ".000001Z"},        {12'300, ".00123Z"},
                       {1'000'000, ".1Z"}, {1'000'001, ".1000001Z"}, {9'999'999, ".9999999Z"}};
    for (auto const& c : cases)
        EXPECT_EQ(ticks{ticks_of_2000 + c.fraction}.text(), "2000-01-01T00:00:00" + std::string{c.text});
}

TEST(ticks_text, may_have_a_fraction_of_one_to_seven_digits) {
    std::string const digits = "1234567";
    std::int64_t const counts[] = {1'000'000, 1'200'000, 1'230'000, 1'234'000, 1'234'500, 1'234'560, 1'234'567};
    for (std::size_t n = 1; n <= 7; ++n)
        EXPECT_EQ(parsed("2000-01-01T00:00:00." + digits.substr(0, n) + "Z").count(), ticks_of_2000 + counts[n - 1])
            << n;
    EXPECT_EQ(parsed("2000-01-01T00:00:00.0000000Z").count(), ticks_of_2000);
}

TEST(ticks_text, knows_leap_years) {
    EXPECT_EQ((parsed("2000-03-01T00:00:00Z") - parsed("2000-02-28T00:00:00Z")).count(), 2 * ticks_per_day);
    EXPECT_EQ((parsed("1900-03-01T00:00:00Z") - parsed("1900-02-28T00:00:00Z")).count(), ticks_per_day);
    for (auto const* text : {"1900-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2000-02-30T00:00:00Z"})
        EXPECT_FALSE(ticks::parse(text)) << text;
}

TEST(ticks_text, may_be_a_day) {
    EXPECT_EQ(parsed("2024-02-29").count(), ticks_of_2024_02_29);
    EXPECT_EQ(parsed("1601-01-01"), ticks::min());
    for (auto const* text : {"2023-02-29", "2024-13-01", "2024-02-00", "0000-01-01", "2024-02-29Z", "2024-2-29",
                             "2024/02/29", "2024-02-29 ", "20240229", "2024-02-2x"})
        EXPECT_FALSE(ticks::parse(text)) << text;
}

TEST(ticks_text, of_a_property_is_no_day) {
    ticks t;
    EXPECT_FALSE(detail::parse_ticks("2024-02-29", t));
}

TEST(ticks_text, is_refused_if_a_field_is_out_of_range) {
    for (auto const* text :
         {"0000-01-01T00:00:00Z", "2000-00-01T00:00:00Z", "2000-13-01T00:00:00Z", "2000-01-00T00:00:00Z",
          "2000-01-32T00:00:00Z", "2000-04-31T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z",
          "2000-01-01T23:59:60Z", "2000-01-01T99:00:00Z"})
        EXPECT_FALSE(ticks::parse(text)) << text;
}

TEST(ticks_text, is_refused_in_any_other_form) {
    for (auto const* text : {"",
                             "Z",
                             "2000-01-01T00:00:00",
                             "2000-01-01T00:00:00+00:00",
                             "2000-01-01T00:00:00z",
                             "2000-01-01 00:00:00Z",
                             "2000-01-01t00:00:00Z",
                             "2000/01/01T00:00:00Z",
                             "2000-01-01T00-00-00Z",
                             "2000-01-01T00:00:00.Z",
                             "2000-01-01T00:00:00,5Z",
                             "2000-01-01T00:00:00.12345678Z",
                             "2000-01-01T00:00:00.1Z ",
                             " 2000-01-01T00:00:00Z",
                             "+2000-01-01T0:00:00Z",
                             "-001-01-01T00:00:00Z",
                             "20000-01-01T00:00:00Z",
                             "2000-1-01T00:00:000Z",
                             "2000-01-01T00:00:00.+1Z",
                             "2000-01-01T00:00:00.1 Z",
                             "2000-01-01T00:00:0aZ"})
        EXPECT_FALSE(ticks::parse(text)) << text;
    EXPECT_FALSE(ticks::parse(std::string_view{"2000-01-01T00:00:00.\0Z", 22}));
}

TEST(ticks_text, refusal_is_a_type_mismatch_without_the_text) {
    auto const r = ticks::parse("SECRET");
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::type_mismatch);
    EXPECT_EQ(std::string_view{r.error().what()}.find("SECRET"), std::string_view::npos);
}

TEST(ticks_text, that_is_refused_leaves_the_target_alone) {
    ticks t{42};
    EXPECT_FALSE(detail::parse_ticks("2000-02-30T00:00:00Z", t));
    EXPECT_EQ(t.count(), 42);
}

TEST(ticks_text, round_trips_for_random_times) {
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        auto const t = random.time();
        EXPECT_EQ(parsed(t.text()), t) << t.count();
    }
}

TEST(ticks_text, sorts_as_the_times_do_when_fractions_are_equally_long) {
    EXPECT_LT(ticks::min().text(), ticks{ticks_of_1970}.text());
    EXPECT_LT(ticks{ticks_of_1970 - 1}.text(), ticks{ticks_of_1970}.text());
}

// ---- the clock of the language --------------------------------------------------------------------------------------

TEST(ticks_from_sys_time, counts_from_the_unix_epoch) {
    EXPECT_EQ(ticks{sys_days{}}.count(), ticks_of_1970);
    EXPECT_EQ(ticks{sys_days{std::chrono::year{2000} / 1 / 1}}.count(), ticks_of_2000);
    EXPECT_EQ((ticks{sys_days{} + 1ms}.count()), ticks_of_1970 + 10'000);
}

TEST(ticks_from_sys_time, drops_parts_of_a_tick_towards_the_past) {
    using nano = sys_time<std::chrono::nanoseconds>;
    EXPECT_EQ(ticks{nano{199ns}}.count(), ticks_of_1970 + 1);
    EXPECT_EQ(ticks{nano{99ns}}.count(), ticks_of_1970);
    EXPECT_EQ(ticks{nano{-1ns}}.count(), ticks_of_1970 - 1);
    EXPECT_EQ(ticks{nano{-100ns}}.count(), ticks_of_1970 - 1);
    EXPECT_EQ(ticks{nano{-101ns}}.count(), ticks_of_1970 - 2);
}

TEST(ticks_from_sys_time, holds_times_before_1970) {
    EXPECT_EQ(ticks{sys_days{std::chrono::year{1} / 1 / 1}}.count(), 0);
    EXPECT_EQ(ticks{sys_days{std::chrono::year{1601} / 1 / 1}}, ticks::min());
    EXPECT_EQ(ticks{sys_days{std::chrono::year{1969} / 12 / 31}}.text(), "1969-12-31T00:00:00Z");
}

TEST(ticks_to_sys_time, comes_back_to_the_same_ticks) {
    for (auto const t : {ticks{}, ticks::min(), ticks{ticks_of_1970 - 1}, ticks{ticks_of_2000}, ticks::max()})
        EXPECT_EQ(ticks{t.time()}, t) << t.count();
    EXPECT_EQ(ticks{ticks_of_1970}.time().time_since_epoch().count(), 0);
}

TEST(ticks, are_storable_exactly_from_1601_to_9999) {
    EXPECT_TRUE(ticks::min().storable() && ticks::max().storable());
    EXPECT_FALSE((ticks::min() - tick_duration{1}).storable());
    EXPECT_FALSE((ticks::max() + tick_duration{1}).storable());
}

TEST(ticks, add_and_subtract_durations_of_any_coarser_unit) {
    ticks const t{ticks_of_2000};
    EXPECT_EQ((t + 1s).count(), ticks_of_2000 + 10'000'000);
    EXPECT_EQ((t - 1us).count(), ticks_of_2000 - 10);
    EXPECT_EQ(t - ticks{ticks_of_1970}, std::chrono::days{10'957});
    EXPECT_LT(t - 1us, t);
}

TEST(ticks, now_is_the_system_clocks_time) {
    ticks const before{std::chrono::system_clock::now()};
    auto const now = ticks::now();
    ticks const after{std::chrono::system_clock::now()};
    EXPECT_LE(before, now);
    EXPECT_LE(now, after);
}

TEST(ticks, are_printed_as_their_text_or_count) {
    std::ostringstream out;
    out << ticks::min() << ' ' << ticks{-1};
    EXPECT_EQ(out.str(), ticks::min().text() + " -1 ticks");
}

}  // namespace
