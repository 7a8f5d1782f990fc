// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/etag.hpp"

#include "support/random.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include <optional>
#include <string>

namespace {

using namespace tablemap;

TEST(etag, of_a_timestamp_has_the_form_of_the_service) {
    auto const t = ticks::parse("2021-09-21T00:54:13.4428552Z").value();
    EXPECT_EQ(etag::of(t).text(), "W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\"");
    EXPECT_EQ(etag::of(ticks::min()).text(), "W/\"datetime'1601-01-01T00%3A00%3A00Z'\"");
}

TEST(etag, gives_its_timestamp_back) {
    test::random_source random;
    for (int i = 0; i < 200; ++i) {
        auto const t = random.time();
        EXPECT_EQ(etag::of(t).timestamp(), t) << t.text();
    }
    EXPECT_EQ(etag::of(ticks::max()).timestamp(), ticks::max());
}

TEST(etag, is_read_with_bare_colons_too) {
    auto const t = ticks::parse("2021-09-21T00:54:13Z").value();
    EXPECT_EQ(etag{"W/\"datetime'2021-09-21T00:54:13Z'\""}.timestamp(), t);
}

TEST(etag, of_any_other_form_has_no_timestamp) {
    for (auto const* text :
         {"", "*", "W/\"datetime'", "W/\"datetime'\"", "W/\"datetime''\"", "W/\"datetime'2021-09-21'\"",
          "W/\"datetime'2021-09-21T00%3A54%3A13Z'", "datetime'2021-09-21T00%3A54%3A13Z'", "\"0x8D4BCC2E4835CD0\"",
          "W/\"datetime'2021-09-21T00%3A54%3A13.44285521234567Z'\"", "W/\"datetime'2021-09-21T00%3B54%3A13Z'\"",
          "W/\"datetime'%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A%3A'\""})
        EXPECT_EQ(etag{text}.timestamp(), std::nullopt) << text;
}

TEST(etag, is_compared_as_opaque_text) {
    auto const t = ticks::parse("2021-09-21T00:54:13Z").value();
    EXPECT_EQ(etag::of(t), etag::of(t));
    EXPECT_NE(etag::of(t), etag{"W/\"datetime'2021-09-21T00:54:13Z'\""});
    EXPECT_TRUE(etag{}.empty());
    EXPECT_FALSE(etag::of(t).empty());
}

TEST(etag, is_printed_as_its_text) {
    std::ostringstream out;
    out << etag{"\"1\""};
    EXPECT_EQ(out.str(), "\"1\"");
}

}  // namespace
