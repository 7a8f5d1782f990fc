// SPDX-License-Identifier: Apache-2.0
#include "codec.hpp"

#include "tablemap/mapping/converters/date.hpp"
#include "tablemap/mapping/converters/octets.hpp"
#include "tablemap/mapping/converters/path.hpp"

#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::year_month_day;

struct memo {
    std::string key{};
    year_month_day day{};
    std::optional<year_month_day> due{};
    std::filesystem::path file{};
    std::vector<std::uint8_t> data{};

    friend bool operator==(memo const&, memo const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::memo> : tablemap::test::keyed<tablemap::test::memo> {};

namespace tablemap::test {
namespace {

using dates = converter<year_month_day>;
using paths = converter<std::filesystem::path>;

TEST(date_converter, stores_midnight) {
    auto const stored = dates::to_property(2026y / std::chrono::November / 22);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->text(), "2026-11-22T00:00:00Z");
    EXPECT_EQ(*dates::from_property(*stored), 2026y / std::chrono::November / 22);
}

TEST(date_converter, refuses_dates_that_the_calendar_or_the_service_does_not_have) {
    for (auto const& d : {2026y / std::chrono::February / 30, 1600y / std::chrono::December / 31, year_month_day{}})
        EXPECT_EQ(dates::to_property(d).error().code(), library_errc::value_out_of_range);
}

TEST(date_converter, refuses_a_time_of_day) {
    EXPECT_EQ(dates::from_property(*ticks::parse("2026-11-22T10:00:00Z")).error().code(), library_errc::type_mismatch);
}

TEST(path_converter, stores_the_generic_form) {
    EXPECT_EQ(*paths::to_property("a/b.txt"), "a/b.txt");
    EXPECT_EQ(paths::from_property("a/b.txt"), std::filesystem::path{"a/b.txt"});
}

TEST(path_converter, refuses_what_is_not_utf_8) {
    EXPECT_EQ(paths::to_property("a\xFF").error().code(), library_errc::invalid_text);
}

TEST(std_converters, round_trip_in_an_entity) {
    memo const m{"k", 2026y / std::chrono::November / 22, {}, "a/b", {0, 1, 255}};
    EXPECT_TRUE(round_trips(m, R"("day@odata.type":"Edm.DateTime","day":"2026-11-22T00:00:00Z",)"
                               R"("file":"a/b","data@odata.type":"Edm.Binary","data":"AAH/")"));
}

}  // namespace
}  // namespace tablemap::test
