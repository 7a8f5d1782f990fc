// SPDX-License-Identifier: Apache-2.0
#include "rest/url.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap::detail;

std::string path(std::string_view partition, std::string_view row) {
    std::string out;
    append_entity_path(out, "people", partition, row);
    return out;
}

TEST(entity_path, doubles_quotes_and_encodes_all_but_unreserved_bytes) {
    EXPECT_EQ(path("a b", "\xC3\xA9'x"), "/people(PartitionKey='a%20b',RowKey='%C3%A9%27%27x')");
    EXPECT_EQ(path("", ""), "/people(PartitionKey='',RowKey='')");
    EXPECT_EQ(path("AZaz09-._~", "+"), "/people(PartitionKey='AZaz09-._~',RowKey='%2B')");
    EXPECT_EQ(path("100%", "%2F"), "/people(PartitionKey='100%25',RowKey='%252F')");
}

TEST(entity_path, cannot_be_broken_out_of) {
    EXPECT_EQ(path("a',RowKey='b", "x"), "/people(PartitionKey='a%27%27%2CRowKey%3D%27%27b',RowKey='x')");
    EXPECT_EQ(path("..", "a/../b?c#d"), "/people(PartitionKey='..',RowKey='a%2F..%2Fb%3Fc%23d')");
}

TEST(entity_path, takes_an_encoded_quote_for_its_frame) {
    std::string out = "http://h";
    append_entity_path(out, "T", "it's", "1", "%27");
    EXPECT_EQ(out, "http://h/T(PartitionKey=%27it%27%27s%27,RowKey=%271%27)");
}

TEST(query, begins_with_a_question_mark_and_goes_on_with_ampersands) {
    std::string target = "/T()";
    append_query(target, "$top", "5");
    append_query(target, "NextRowKey", "");
    append_query(target, "NextPartitionKey", "1!8!a+b/=");
    EXPECT_EQ(target, "/T()?$top=5&NextRowKey=&NextPartitionKey=1%218%21a%2Bb%2F%3D");
}

TEST(percent_encoding, is_undone_byte_by_byte) {
    std::string all;
    for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
    std::string encoded;
    append_percent_encoded(encoded, all);
    EXPECT_EQ(percent_decoded(encoded), all);
    EXPECT_EQ(encoded.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%"),
              std::string::npos);
}

TEST(fields, are_taken_off_one_by_one) {
    std::string_view text = "a=1&&b";
    EXPECT_EQ(take_field(text, '&'), "a=1");
    EXPECT_EQ(take_field(text, '&'), "");
    EXPECT_EQ(take_field(text, '&'), "b");
    EXPECT_EQ(text, "");
    EXPECT_EQ(take_field(text, '&'), "");
}

TEST(percent_encoding, that_is_none_stays) { EXPECT_EQ(percent_decoded("%4a%4A%%zz%4"), "JJ%%zz%4"); }

}  // namespace
