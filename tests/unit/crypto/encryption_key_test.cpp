// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/encryption_key.hpp"

#include "crypto/sealed_value.hpp"

#include "support/answers.hpp"
#include "support/hex.hpp"
#include "support/temp_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace tablemap;
namespace fs = std::filesystem;
using test::failed_with;

bytes const some_bytes(32, std::byte{0x11});

TEST(encryption_key, has_32_bytes) {
    EXPECT_EQ(encryption_key::try_make("2026", some_bytes)->id(), "2026");
    for (std::size_t const size : {0U, 16U, 31U, 33U, 64U})
        EXPECT_TRUE(failed_with(encryption_key::try_make("2026", bytes(size)), library_errc::invalid_encryption_key))
            << size;
}

TEST(encryption_key, has_an_id_of_visible_ascii) {
    for (auto const& id : {std::string{"a"}, std::string{"https://hr.vault/keys/1"}, std::string(64, '~')})
        EXPECT_TRUE(encryption_key::try_make(id, some_bytes)) << id;
    for (auto const& id : {std::string{}, std::string(65, 'x'), std::string{"a b"}, std::string{"a\n"},
                           std::string{"\x7F"}, std::string{"ä"}, std::string{"a\0", 2}})
        EXPECT_TRUE(failed_with(encryption_key::try_make(id, some_bytes), library_errc::invalid_encryption_key)) << id;
}

TEST(encryption_key, tells_what_is_wrong_and_no_byte_of_the_key) {
    EXPECT_STREQ(encryption_key::try_make("2026", std::span{some_bytes}.first(31)).error().what(),
                 "the encryption key cannot be used: a key is 32 random bytes, that of the id '2026' has 31");
}

struct key_file : ::testing::Test {
    test::temp_folder const folder;
    std::string const path = folder.file("2026.key");

    void write(std::string_view content, fs::perms rights = fs::perms::owner_read) const {
        fs::remove(path);
        std::ofstream{path, std::ios::binary} << content;
        fs::permissions(path, rights);
    }
};

TEST_F(key_file, holds_the_bytes_of_the_key) {
    write(std::string(32, '\x11'));
    auto const read = encryption_key::try_from_file("2026", path);
    auto const same = encryption_key::try_make("2026", some_bytes);
    EXPECT_EQ(*detail::blind_hash(*read, "t", "p", 1, {}), *detail::blind_hash(*same, "t", "p", 1, {}));
}

TEST_F(key_file, holds_nothing_else) {
    EXPECT_TRUE(failed_with(encryption_key::try_from_file("2026", path), library_errc::invalid_encryption_key))
        << "there is none";
    for (std::size_t const size : {0U, 31U, 33U}) {
        write(std::string(size, 'x'));
        auto const key = encryption_key::try_from_file("2026", path);
        ASSERT_TRUE(failed_with(key, library_errc::invalid_encryption_key)) << size;
        EXPECT_NE(std::string{key.error().what()}.find(path), std::string::npos);
    }
}

TEST_F(key_file, is_refused_while_other_users_have_rights_to_it) {
    for (auto const right : {fs::perms::group_read, fs::perms::others_read, fs::perms::others_write}) {
        write(std::string(32, '\x11'), fs::perms::owner_read | right);
        auto const key = encryption_key::try_from_file("2026", path);
        ASSERT_TRUE(failed_with(key, library_errc::invalid_encryption_key));
        EXPECT_NE(std::string{key.error().what()}.find("chmod 600"), std::string::npos);
    }
}

struct one_key : key_provider {
    result<encryption_key> current() const override { return encryption_key::try_make("2026", some_bytes); }
    result<encryption_key> find(std::string_view) const override { return current(); }
};

struct no_key : one_key {
    result<encryption_key> current() const override { return fail(library_errc::no_encryption_key); }
};

TEST(key_provider, lists_the_current_key_unless_it_knows_more) {
    auto const keys = one_key{}.all();
    ASSERT_EQ(keys->size(), 1U);
    EXPECT_EQ(keys->front().id(), "2026");
    EXPECT_TRUE(failed_with(no_key{}.all(), library_errc::no_encryption_key));
}

TEST(encryption_key, says_which_file_cannot_be_read) {
    try {
        encryption_key::from_file("2026", "no/such.key");
        ADD_FAILURE() << "made a key of nothing";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), library_errc::invalid_encryption_key);
        EXPECT_NE(std::string_view{e.what()}.find("no/such.key"), std::string_view::npos);
    }
}

}  // namespace
