// SPDX-License-Identifier: Apache-2.0
#include "rest/http_date.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;

std::string written(std::string_view time) {
    std::string out;
    detail::append_http_date(out, *ticks::parse(time));
    return out;
}

TEST(http_date, names_day_and_month_and_drops_parts_of_a_second) {
    EXPECT_EQ(written("2026-11-20T00:00:00Z"), "Fri, 20 Nov 2026 00:00:00 GMT");
    EXPECT_EQ(written("1994-11-06T08:49:37.9999999Z"), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(written("2024-02-29T23:59:59Z"), "Thu, 29 Feb 2024 23:59:59 GMT");
    EXPECT_EQ(written("0001-01-01T00:00:00Z"), "Mon, 01 Jan 0001 00:00:00 GMT");
}

TEST(http_date, is_read_back) {
    for (auto const* time : {"2026-11-20T00:00:00Z", "1994-11-06T08:49:37Z", "9999-12-31T23:59:59Z"})
        EXPECT_EQ(detail::parse_http_date(written(time))->text(), time);
}

TEST(http_date, of_another_form_is_not_read) {
    for (auto const* text :
         {"", "120", "Fri, 20 Nov 2026 00:00:00 UTC", "Friday, 20-Nov-26 00:00:00 GMT", "Fri, 31 Feb 2026 00:00:00 GMT",
          "Fri, 20 Nov 2026 24:00:00 GMT", "Fri, 20 Nov 20x6 00:00:00 GMT", "Fri, 20 Xxx 2026 00:00:00 GMT"})
        EXPECT_FALSE(detail::parse_http_date(text)) << text;
}

}  // namespace
