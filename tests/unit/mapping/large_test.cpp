// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/large.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace tablemap::test {
namespace {

using detail::large_reference;
using detail::read_reference;
using text_converter = converter<large<std::string>>;
using bytes_converter = converter<large<bytes>>;
using secret_converter = converter<large<encrypted<std::string>>>;

std::string const name = "0123456789abcdef0123456789abcdef-002";
std::string const checksum(64, 'e');

TEST(large_member, holds_a_small_value_in_its_property) {
    EXPECT_EQ(*text_converter::to_property("plain = @"), "=plain = @");
    EXPECT_EQ(*bytes_converter::to_property(bytes{std::byte{1}, std::byte{2}}), "=AQI=");
    EXPECT_EQ(text_converter::from_property("=plain = @")->value(), "plain = @");
    EXPECT_EQ(bytes_converter::from_property("=AQI=")->value(), (bytes{std::byte{1}, std::byte{2}}));
    EXPECT_EQ(text_converter::from_property("=")->value(), "");
}

TEST(large_member, names_a_blob) {
    large_reference const plain{name, 12345, checksum, ""}, sealed{name, 0, checksum, "key-1"};
    EXPECT_EQ(plain.text(), "@" + name + " 12345 " + checksum);
    EXPECT_EQ(sealed.text(), "@" + name + " 0 " + checksum + " key-1");
    EXPECT_EQ(*read_reference(plain.text()), plain);
    EXPECT_EQ(*read_reference(sealed.text()), sealed);
}

TEST(large_member, in_a_blob_is_not_loaded_and_cannot_be_written) {
    auto const read = text_converter::from_property("@" + name + " 12345 " + checksum);
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->is_loaded());
    EXPECT_EQ(read->size(), 12345u);
    EXPECT_THROW(static_cast<void>(read->value()), error);
    EXPECT_EQ(text_converter::to_property(*read).error().code(), library_errc::unsupported);
}

TEST(large_member, that_is_assigned_or_edited_is_loaded_and_forgets_its_blob) {
    auto member = *text_converter::from_property("@" + name + " 12345 " + checksum);
    member = "new";
    EXPECT_EQ(member.edit() += "er", "newer");
    EXPECT_FALSE(cell_of(member).in_blob);
    EXPECT_EQ(*text_converter::to_property(member), "=newer");
}

TEST(large_member, refuses_properties_that_it_cannot_have_written) {
    auto const good = "@" + name + " 12 " + checksum;
    for (auto const& text :
         {std::string{}, std::string{"plain"}, std::string{"@"}, "@" + name + " 12", "@" + name + " x " + checksum,
          "@" + name + "  " + checksum, "@" + name + " -1 " + checksum, "@../other 12 " + checksum,
          "@" + name + " 99999999999999999999 " + checksum, "@" + name + " 9999999999999 " + checksum, good + " a b",
          good + " " + std::string(65, 'k'), "@" + name + " 12 " + std::string(64, 'E')})
        EXPECT_FALSE(text_converter::from_property(text)) << text;
    EXPECT_TRUE(text_converter::from_property(good));
    EXPECT_FALSE(bytes_converter::from_property("=AQI"));
}

TEST(large_member, is_encrypted_or_not_as_its_type_says) {
    auto const plain = "@" + name + " 12 " + checksum;
    EXPECT_FALSE(secret_converter::from_property(plain));
    EXPECT_FALSE(text_converter::from_property(plain + " key-1"));
    EXPECT_TRUE(secret_converter::from_property(plain + " key-1"));
    EXPECT_EQ(secret_converter::from_property("=plain").error().code(), library_errc::unencrypted_value);
    EXPECT_EQ(secret_converter::to_property(std::string{"secret"}).error().code(), library_errc::unsupported);
}

}  // namespace
}  // namespace tablemap::test
