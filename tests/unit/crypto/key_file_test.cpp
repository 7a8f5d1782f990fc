// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_file.hpp"

#include "crypto/sealed_value.hpp"

#include "support/answers.hpp"
#include "support/temp_folder.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/resource.h>

namespace {

using namespace tablemap;
using test::failed_with;
namespace fs = std::filesystem;

struct new_key_file : ::testing::Test {
    test::temp_folder const temporary;
    fs::path const& folder = temporary.path();
    std::string const path = temporary.file("2026.key");

    static std::string content(std::string const& file) {
        std::ifstream in{file, std::ios::binary};
        return {std::istreambuf_iterator<char>{in}, {}};
    }
    static bytes hash_under(encryption_key const& key) { return *detail::blind_hash(key, "t", "p", 1, {}); }
};

TEST_F(new_key_file, holds_the_key_that_was_made) {
    auto const made = make_key_file("2026", path);
    EXPECT_EQ(made.id(), "2026");
    EXPECT_EQ(hash_under(encryption_key::from_file("2026", path)), hash_under(made));
}

TEST_F(new_key_file, holds_other_bytes_each_time) {
    EXPECT_NE(hash_under(make_key_file("a", path)), hash_under(make_key_file("a", path + "2")));
}

TEST_F(new_key_file, is_for_its_owner_alone) {
    make_key_file("2026", path);
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(new_key_file, never_takes_the_place_of_a_file) {
    std::ofstream{path} << "the only key of a table";
    auto const refused = try_make_key_file("2026", path);
    ASSERT_TRUE(failed_with(refused, library_errc::invalid_encryption_key));
    EXPECT_EQ(refused.error().what(), "the encryption key cannot be used: the file " + path +
                                          " is there already and stays as it is: a new key needs a new file");
    EXPECT_EQ(content(path), "the only key of a table");
}

TEST_F(new_key_file, does_not_follow_a_link_to_nowhere) {
    fs::create_symlink(folder / "elsewhere", path);
    EXPECT_TRUE(failed_with(try_make_key_file("2026", path), library_errc::invalid_encryption_key));
    EXPECT_FALSE(fs::exists(folder / "elsewhere"));
}

TEST_F(new_key_file, is_not_made_for_an_id_that_cannot_be_one) {
    EXPECT_TRUE(failed_with(try_make_key_file("of 2026", path), library_errc::invalid_encryption_key));
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(new_key_file, needs_a_folder) {
    auto const nowhere = (folder / "no" / "2026.key").string();
    auto const refused = try_make_key_file("2026", nowhere);
    ASSERT_TRUE(failed_with(refused, library_errc::invalid_encryption_key));
    EXPECT_EQ(refused.error().what(), "the encryption key cannot be used: the file " + nowhere +
                                          " cannot be written: No such file or directory");
    EXPECT_THROW(make_key_file("2026", nowhere), error);
}

/// Files of this process may not be longer, for the time being.
class longest_file {
public:
    explicit longest_file(rlim_t size) {
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const now{size, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    ~longest_file() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    longest_file(longest_file const&) = delete;
    longest_file& operator=(longest_file const&) = delete;

private:
    void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before_{};
};

TEST_F(new_key_file, is_whole_or_not_there) {
    for (rlim_t const room : {0U, 16U}) {
        longest_file const limit{room};
        EXPECT_TRUE(failed_with(try_make_key_file("2026", path), library_errc::invalid_encryption_key)) << room;
        EXPECT_FALSE(fs::exists(path)) << room;
    }
}

}  // namespace
