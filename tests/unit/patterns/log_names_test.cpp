// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_names.hpp"
#include "support/log_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using detail::log_names;
using detail::rolling_span;
using std::chrono::days;
using ::testing::ElementsAre;

log_names const hourly{"logs", "requests", log_per::hour}, daily{"logs", "requests", log_per::day};

std::error_code refusal_of(std::string const& name, std::string const& container = "logs") {
    try {
        log_names{container, name, log_per::hour};
    } catch (error const& e) {
        return e.code();
    }
    return {};
}

TEST(log_names, tell_the_period_and_the_number) {
    EXPECT_EQ(hourly.file(hourly.start_of(july_31(18, 59)), 1), "requests/2014/07/31/1800/000001.log");
    EXPECT_EQ(daily.file(daily.start_of(july_31(18, 59)), 999'999), "requests/2014/07/31/999999.log");
}

TEST(log_names, are_parsed_back) {
    for (auto const* const names : {&hourly, &daily})
        for (std::uint32_t const number : {1U, 42U, 999'999U}) {
            auto const start = names->start_of(july_31(23, 59));
            auto const place = names->parse(names->file(start, number));
            ASSERT_TRUE(place);
            EXPECT_EQ(place->start, start);
            EXPECT_EQ(place->number, number);
        }
}

TEST(log_names, are_parsed_strictly) {
    for (char const* const other :
         {"", "requests", "requests/2014/07/31/1800/000001.lo", "requests/2014/07/31/1800/000001.log2",
          "requests/2014/07/31/1800/00001.log", "requests/2014/07/31/1800/0000001.log",
          "requests/2014/07/31/000001.log", "requests/2014/07/32/1800/000001.log",
          "requests/2014/02/29/1800/000001.log", "requests/2014/07/31/2400/000001.log",
          "requests/2014/07/31/1830/000001.log", "requests/2014/07/31/1800/000000.log",
          "requests/2014/07/31/1800/00000a.log", "requests/1600/07/31/1800/000001.log",
          "requests/2014/07/31/1800-000001.log", "Requests/2014/07/31/1800/000001.log",
          "requestsx/2014/07/31/1800/000001.log", "requests/a/2014/07/31/1800/000001.log"})
        EXPECT_FALSE(hourly.parse(other)) << other;
    EXPECT_FALSE(daily.parse("requests/2014/07/31/1800/000001.log"));
}

TEST(log_names, of_logs_are_names_of_blobs) {
    EXPECT_FALSE(refusal_of("web/requests"));
    for (auto const& bad : {std::string{}, std::string{"/a"}, std::string{"a/"}, std::string{"a//b"}, std::string{"a."},
                            std::string{"a\\b"}, std::string{"a\nb"}, std::string(1000, 'a')})
        EXPECT_EQ(refusal_of(bad), service_errc::invalid_resource_name) << bad;
    EXPECT_EQ(refusal_of("requests", "L"), service_errc::invalid_resource_name);
}

TEST(log_names, have_prefixes_for_single_hours_and_for_days) {
    auto const prefixes = [](ticks from, ticks to) { return hourly.prefixes({from, to}); };
    EXPECT_THAT(prefixes(july_31(18), july_31(19)), ElementsAre("requests/2014/07/31/1800/"));
    EXPECT_THAT(prefixes(july_31(18, 30), july_31(18, 31)), ElementsAre("requests/2014/07/31/1800/"));
    EXPECT_THAT(prefixes(july_31(18), july_31(19, 1)), ElementsAre("requests/2014/07/31/"));
    EXPECT_THAT(prefixes(july_31(23), july_31(24) + days{1} + std::chrono::hours{1}),
                ElementsAre("requests/2014/07/31/2300/", "requests/2014/08/01/", "requests/2014/08/02/0000/"));
    EXPECT_THAT(daily.prefixes({july_31(18), july_31(19)}), ElementsAre("requests/2014/07/31/"));
}

TEST(log_names, have_prefixes_of_months_and_years_for_long_spans) {
    auto const begin = july_31(0);
    EXPECT_EQ(hourly.prefixes({begin, begin + days{31}}).size(), 31U);
    EXPECT_THAT(hourly.prefixes({begin, begin + days{32}}), ElementsAre("requests/2014/07/", "requests/2014/08/"));
    auto const months = hourly.prefixes({begin, begin + days{700}});
    EXPECT_EQ(months.size(), 24U);
    EXPECT_EQ(months.back(), "requests/2016/06/");
    EXPECT_THAT(hourly.prefixes({begin, begin + days{750}}),
                ElementsAre("requests/2014/", "requests/2015/", "requests/2016/"));
    EXPECT_THAT(hourly.prefixes({begin, begin + days{366 * 30}}), ElementsAre("requests/"));
}

TEST(log_names, have_one_prefix_for_open_spans_and_none_for_empty_ones) {
    EXPECT_THAT(hourly.prefixes({}), ElementsAre("requests/"));
    EXPECT_THAT(hourly.prefixes({july_31(1), {}}), ElementsAre("requests/"));
    EXPECT_THAT(hourly.prefixes({july_31(1), july_31(1)}), ElementsAre());
    EXPECT_THAT(hourly.prefixes({july_31(2), july_31(1)}), ElementsAre());
    EXPECT_THAT(hourly.prefixes({ticks::min(), ticks::max()}), ElementsAre("requests/"));
}

/// Every period of a span has its files under one prefix of the span, and the prefixes come in order.
TEST(log_names, have_every_file_of_a_span_under_one_prefix) {
    for (int const length : {1, 5, 24, 25, 49, 24 * 31, 24 * 40, 24 * 900}) {
        rolling_span const span{july_31(17, 30), july_31(17, 30) + std::chrono::hours{length}};
        auto const prefixes = hourly.prefixes(span);
        EXPECT_TRUE(std::is_sorted(prefixes.begin(), prefixes.end()));
        for (auto at = hourly.start_of(*span.from); hourly.meets(at, span); at = hourly.next(at)) {
            auto const name = hourly.file(at, 1);
            EXPECT_EQ(std::count_if(prefixes.begin(), prefixes.end(), [&](auto& p) { return name.starts_with(p); }), 1);
        }
    }
}

}  // namespace
}  // namespace tablemap::test
