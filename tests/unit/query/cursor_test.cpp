// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/query/cursor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tablemap::test {
namespace {

using detail::cursor_range;
using detail::read_cursor;
using detail::write_cursor;

constexpr std::uint64_t some_query = 0x0123456789ABCDEF;

std::vector<cursor_range> const ranges{{.ended = true},
                                       {.page = continuation{"p", std::nullopt}},
                                       {.page = continuation{"p\xC3\xA9", "r/+?"}, .partition_key = "", .row_key = "x"},
                                       {}};

TEST(cursor, is_read_as_it_was_written) {
    auto const read = read_cursor(write_cursor(some_query, ranges), some_query, ranges.size());
    ASSERT_TRUE(read) << read.error().what();
    EXPECT_EQ(*read, ranges);
}

TEST(cursor, keeps_its_text_for_ever) {
    EXPECT_EQ(write_cursor(some_query, {{.page = continuation{"p", "r"}, .partition_key = "a", .row_key = "b"}}),
              "1ASNFZ4mrze8OAAAAAXAAAAABcgAAAAFhAAAAAWI");
}

TEST(cursor, can_stand_in_a_url) {
    auto const text = write_cursor(~std::uint64_t{0}, ranges);
    EXPECT_THAT(text, ::testing::MatchesRegex("[A-Za-z0-9_-]+"));
}

TEST(cursor, of_another_query_is_refused) {
    auto const read = read_cursor(write_cursor(some_query, ranges), some_query + 1, ranges.size());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), library_errc::invalid_cursor);
    EXPECT_THAT(read.error().what(), ::testing::HasSubstr("another query"));
}

TEST(cursor, that_is_damaged_is_refused_wherever_it_is_cut) {
    auto const text = write_cursor(some_query, ranges);
    for (std::size_t n = 0; n < text.size(); ++n)
        EXPECT_FALSE(read_cursor(text.substr(0, n), some_query, ranges.size())) << n;
    EXPECT_FALSE(read_cursor(text + "AAAA", some_query, ranges.size()));
    EXPECT_FALSE(read_cursor("2" + text.substr(1), some_query, ranges.size()));
    EXPECT_FALSE(read_cursor("no cursor", some_query, 1));
}

TEST(cursor, has_one_text_and_no_other_is_accepted) {
    auto text = write_cursor(some_query, {{.page = continuation{"p?>\xFB", "r"}}});
    ASSERT_TRUE(read_cursor(text, some_query, 1));
    auto const special = text.find_first_of("-_");
    ASSERT_NE(special, std::string::npos);
    text[special] = text[special] == '-' ? '+' : '/';
    EXPECT_FALSE(read_cursor(text, some_query, 1));
    // A row key of a page token without the token's partition key, and padding.
    EXPECT_FALSE(read_cursor("1ASNFZ4mrze8EAAAAAXI", some_query, 1));
    EXPECT_FALSE(read_cursor("1ASNFZ4mrze8A=", some_query, 1));
}

TEST(query_hash, tells_where_texts_end) {
    EXPECT_NE(detail::query_hash{}.add("ab").add("c").value(), detail::query_hash{}.add("a").add("bc").value());
}

}  // namespace
}  // namespace tablemap::test
