// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <filesystem>

namespace tablemap::test {
namespace {

namespace fs = std::filesystem;

/// A store whose file is changed under it.
class file_gone : public embedded_file {
protected:
    void SetUp() override {
        store_ = open();
        people_.emplace(*store_, "People");
        ASSERT_TRUE(carried_out(people_->create()));
        ASSERT_TRUE(carried_out(people_->insert(entity("p", "1"))));
    }

    table_client& people() { return *people_; }
    void close() {
        people_.reset();
        store_.reset();
    }

    void expect_no_write() {
        auto const r = people().insert(entity("p", "2"));
        ASSERT_TRUE(refused(r, store_errc::file_gone));
        EXPECT_EQ(r.outcome(), outcome::not_applied);
        EXPECT_FALSE(r.failure->retryable());
        EXPECT_TRUE(refused(people().transact({erasure("p", "1")}), store_errc::file_gone));
        EXPECT_TRUE(refused(people().drop(), store_errc::file_gone));
        EXPECT_TRUE(refused(table_client{*store_, "Other"}.create(), store_errc::file_gone));
    }

    store_ptr store_;
    std::optional<table_client> people_;
};

TEST_F(file_gone, by_a_deletion_is_noticed_by_the_next_write) {
    fs::remove(path());
    expect_no_write();
}

TEST_F(file_gone, by_a_new_name_is_noticed_and_the_file_is_whole_there) {
    auto const elsewhere = folder().file("elsewhere.db");
    fs::rename(path(), elsewhere);
    fs::rename(path() + "-wal", elsewhere + "-wal");
    expect_no_write();
    close();
    auto s = value_or_throw(open_embedded({.path = elsewhere}));
    EXPECT_EQ(row_keys(table_client{*s, "People"}.all()), std::vector<std::string>{"1"});
}

TEST_F(file_gone, because_another_took_its_place_is_noticed_and_the_other_is_left_alone) {
    auto const other = folder().file("other.db");
    write_file(other, contents(path()));
    fs::rename(other, path());
    auto const before = contents(path());
    expect_no_write();
    close();
    EXPECT_TRUE(contents(path()) == before);
}

TEST_F(file_gone, with_its_log_is_noticed) {
    fs::remove(path() + "-wal");
    expect_no_write();
}

TEST_F(file_gone, and_put_back_can_be_written_again) {
    fs::rename(path(), folder().file("aside.db"));
    expect_no_write();
    fs::rename(folder().file("aside.db"), path());
    EXPECT_TRUE(carried_out(people().insert(entity("p", "2"))));
}

TEST_F(file_gone, is_noticed_when_its_folder_is_renamed) {
    fs::create_directory(folder().file("a"));
    auto s = value_or_throw(open_embedded({.path = folder().file("a/store.db")}));
    table_client t{*s, "People"};
    ASSERT_TRUE(carried_out(t.create()));
    fs::rename(folder().file("a"), folder().file("b"));
    EXPECT_TRUE(refused(t.insert(entity("p", "1")), store_errc::file_gone));
}

TEST_F(file_gone, is_not_told_of_a_link_to_the_file) {
    fs::create_symlink(path(), folder().file("link.db"));
    auto s = value_or_throw(open_embedded({.path = folder().file("link.db")}));
    EXPECT_TRUE(carried_out(table_client{*s, "People"}.insert(entity("p", "2"))));
}

}  // namespace
}  // namespace tablemap::test
