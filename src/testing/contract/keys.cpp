// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

namespace tablemap::inline v0_1::testing::contract {
namespace {

using namespace std::string_literals;

class seam_keys : public seam {};
TABLEMAP_CONTRACT_SUITE(seam_keys);

std::string const emoji = "\xF0\x9F\x98\x80";          // U+1F600: D83D DE00 in UTF-16
std::string const last_of_bmp = "\xEF\xBF\xBF";        // U+FFFF
std::string const private_use = "\xEE\x80\x80";        // U+E000
std::string const before_surrogates = "\xED\x9F\xBF";  // U+D7FF

std::vector<std::string> const unusual = {
    "",
    " ",
    " lead",
    "trail ",
    "it's",
    "\"quoted\"",
    "100%",
    "a+b",
    "a&b=c",
    "%2F",
    "dot.",
    "..",
    "a;b,c",
    "~!@$^*()",
    "\xC3\xA4\xC3\xB6",
    "a\xCC\x88",
    emoji,
    last_of_bmp,
    private_use + emoji,
    "*",
};

TEST_P(seam_keys, unusual_keys_come_back_unchanged) {
    for (auto const& key : unusual) {
        ASSERT_TRUE(carried_out(table().insert(entity(key, key, {{"K", key}})))) << key;
        auto const got = entity_in(table().get(key, key));
        EXPECT_EQ(got.partition_key, key);
        EXPECT_EQ(got.row_key, key);
        EXPECT_TRUE(carried_out(table().erase(key, key)));
    }
}

TEST_P(seam_keys, unusual_keys_are_found_by_a_query) {
    put_rows("p", unusual);
    for (auto const& key : unusual) {
        auto const found = table().all({.partition = key_bounds::exactly("p"), .row = key_bounds::exactly(key)});
        EXPECT_EQ(row_keys(found), std::vector<std::string>{key});
    }
}

TEST_P(seam_keys, keys_differ_by_case_and_by_composition) {
    put_rows("p", {"a", "A", "\xC3\xA4", "a\xCC\x88"});
    EXPECT_EQ(table().all().size(), 4u);
}

TEST_P(seam_keys, keys_are_ordered_by_utf16_code_units) {
    TABLEMAP_SKIP_WITHOUT_ORDER();
    put_rows("p", {last_of_bmp, emoji, private_use, "z", before_surrogates, "", "Z", "zz"});
    EXPECT_EQ(row_keys(table().all()),
              (std::vector<std::string>{"", "Z", "z", "zz", before_surrogates, emoji, private_use, last_of_bmp}));
}

TEST_P(seam_keys, partitions_are_ordered_by_utf16_code_units) {
    TABLEMAP_SKIP_WITHOUT_ORDER();
    for (auto const& p : {last_of_bmp, emoji, "z"s}) ASSERT_TRUE(carried_out(table().insert(entity(p, "r"))));
    EXPECT_EQ(keys_of(table().all()), (std::vector<std::string>{"z/r", emoji + "/r", last_of_bmp + "/r"}));
}

TEST_P(seam_keys, bounds_are_in_utf16_order_too) {
    put_rows("p", {"z", emoji, private_use, last_of_bmp});
    auto const p = key_bounds::exactly("p");
    EXPECT_EQ(as_given(row_keys(table().all({.partition = p, .row = {.from = private_use}}))),
              (std::vector<std::string>{private_use, last_of_bmp}));
    EXPECT_EQ(as_given(row_keys(table().all({.partition = p, .row = {.to = private_use}}))),
              (std::vector<std::string>{"z", emoji}));
}

TEST_P(seam_keys, forbidden_characters_are_refused) {
    for (auto const& key :
         {"a/b"s, "a\\b"s, "a#b"s, "a?b"s, "a\tb"s, "a\0b"s, "\x1F"s, "\x7F"s, "\xC2\x80"s, "\xC2\x9F"s}) {
        EXPECT_TRUE(refused(table().insert(entity(key, "r")), service_errc::invalid_input)) << key;
        EXPECT_TRUE(refused(table().insert(entity("p", key)), service_errc::invalid_input)) << key;
    }
}

TEST_P(seam_keys, keys_that_are_no_utf8_are_refused) {
    for (auto const& key : {"\xC3("s, "\xED\xA0\x80"s, "\xF5\x80\x80\x80"s, "\x80"s}) {
        auto const sent = body("p", "r");
        EXPECT_TRUE(refused(table().write_body(write_kind::insert, key, "r", sent), service_errc::invalid_input));
        EXPECT_TRUE(refused(table().get("p", key), service_errc::invalid_input));
    }
}

TEST_P(seam_keys, keys_have_at_most_512_utf16_units) {
    std::string const longest(512, 'k');
    EXPECT_TRUE(carried_out(table().insert(entity(longest, longest))));
    EXPECT_EQ(entity_in(table().get(longest, longest)).row_key, longest);
    std::string emojis;
    for (int i = 0; i < 256; ++i) emojis += emoji;
    EXPECT_TRUE(carried_out(table().insert(entity("p", emojis))));
    EXPECT_TRUE(carried_out(table().get("p", emojis)));
}

TEST_P(seam_keys, longer_keys_are_refused) {
    std::string const longer(513, 'k');
    EXPECT_TRUE(refused(table().insert(entity(longer, "r")), service_errc::key_value_too_large));
    EXPECT_TRUE(refused(table().insert(entity("p", longer)), service_errc::key_value_too_large));
}

}  // namespace

void link_keys() {}

}  // namespace tablemap::testing::contract
