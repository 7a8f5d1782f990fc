// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/rolling_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using detail::rolling_names;
using detail::rolling_span;

ticks at(int year, unsigned month, unsigned day, int hour = 0, int minute = 0) {
    using namespace std::chrono;
    return sys_days{std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day}} + hours{hour} +
           minutes{minute};
}

TEST(rolling_names, are_the_prefix_and_the_period_in_utc) {
    auto const name = [](table_per per, ticks t) {
        return value_or_throw(rolling_names{"log", per}.table_of(t, "at"));
    };
    EXPECT_EQ(name(table_per::hour, at(2014, 7, 31, 9, 59)), "log2014073109");
    EXPECT_EQ(name(table_per::day, at(2014, 7, 31, 23, 59)), "log20140731");
    EXPECT_EQ(name(table_per::month, at(2014, 7, 31, 9)), "log201407");
    EXPECT_EQ(name(table_per::hour, ticks::min()), "log1601010100");
    EXPECT_EQ(name(table_per::day, ticks::max()), "log99991231");
}

TEST(rolling_names, refuse_a_time_that_was_not_set) {
    auto const name = rolling_names{"log", table_per::day}.table_of(ticks{}, "at");
    ASSERT_FALSE(name);
    EXPECT_EQ(name.error().code(), library_errc::value_out_of_range);
    EXPECT_EQ(name.error().member(), "at");
}

TEST(rolling_names, follow_each_other_without_a_gap) {
    for (auto const per : {table_per::hour, table_per::day, table_per::month}) {
        rolling_names const names{"log", per};
        for (auto start = names.start_of(at(2015, 12, 15)); start < at(2016, 3, 2); start = names.next(start)) {
            EXPECT_EQ(names.start_of(start), start);
            EXPECT_TRUE(names.share_table(start, names.next(start) - tick_duration{1}));
            EXPECT_FALSE(names.share_table(start, names.next(start)));
            EXPECT_EQ(names.parse(names.name_of(start)), start);
        }
    }
}

TEST(rolling_names, of_strangers_are_not_read) {
    rolling_names const daily{"signins", table_per::day};
    EXPECT_EQ(daily.parse("signins20140731"), at(2014, 7, 31));
    for (auto const* const name : {"signins", "signins2014", "signins201407", "signins2014073123", "signins201407311",
                                   "Signins20140731", "signinsx20140731", "sign20140731", "signins20140732",
                                   "signins20140229", "signins20141301", "signins20140001", "signins20140100",
                                   "signins00010101", "signins2014073a", "signins-2014073", "signins 2014073", ""})
        EXPECT_EQ(daily.parse(name), std::nullopt) << name;
}

TEST(rolling_names, of_hours_and_months_are_calendar_dates) {
    rolling_names const hourly{"log", table_per::hour};
    rolling_names const monthly{"log", table_per::month};
    EXPECT_EQ(hourly.parse("log2016022923"), at(2016, 2, 29, 23));
    EXPECT_EQ(hourly.parse("log2016022924"), std::nullopt);
    EXPECT_EQ(hourly.parse("log20160229"), std::nullopt);
    EXPECT_EQ(monthly.parse("log201602"), at(2016, 2, 1));
    EXPECT_EQ(monthly.parse("log201613"), std::nullopt);
    EXPECT_EQ(monthly.parse("log20160229"), std::nullopt);
}

TEST(rolling_names, take_no_prefix_that_could_be_confused_with_a_date) {
    for (auto const* const prefix : {"", "signins2014", "signins2", "9log", "log-", "l\xC3\xB6g", "sign ins"}) {
        try {
            rolling_names const names{prefix, table_per::day};
            ADD_FAILURE() << prefix;
        } catch (error const& e) {
            EXPECT_EQ(e.code(), library_errc::invalid_table_name) << prefix;
        }
    }
}

TEST(rolling_names, have_at_most_63_characters) {
    EXPECT_NO_THROW((rolling_names{std::string(55, 'a'), table_per::day}));
    EXPECT_THROW((rolling_names{std::string(56, 'a'), table_per::day}), error);
    EXPECT_NO_THROW((rolling_names{std::string(57, 'a'), table_per::month}));
    EXPECT_THROW((rolling_names{std::string(54, 'a'), table_per::hour}), error);
}

TEST(rolling_names, meet_a_span_by_an_instant) {
    rolling_names const names{"log", table_per::day};
    auto const start = at(2014, 7, 31);
    EXPECT_TRUE(names.meets(start, {}));
    EXPECT_TRUE(names.meets(start, {.from = at(2014, 7, 31, 23)}));
    EXPECT_FALSE(names.meets(start, {.from = at(2014, 8, 1)}));
    EXPECT_TRUE(names.meets(start, {.to = start + tick_duration{1}}));
    EXPECT_FALSE(names.meets(start, {.to = start}));
    EXPECT_TRUE(names.lies_in(start, {.from = start, .to = at(2014, 8, 1)}));
    EXPECT_FALSE(names.lies_in(start, {.from = start + tick_duration{1}}));
}

}  // namespace
}  // namespace tablemap::test
