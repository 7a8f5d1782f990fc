// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>

namespace tablemap::test {
namespace {

/// Keeps files of this process from growing beyond a size while it lives: a disk that refuses to write.
class file_size_limit {
public:
    explicit file_size_limit(std::uintmax_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit const limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~file_size_limit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    file_size_limit(file_size_limit const&) = delete;
    file_size_limit& operator=(file_size_limit const&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

class failing_commit : public embedded_file {
protected:
    void SetUp() override {
        store_ = open();
        people_.emplace(*store_, "People");
        ASSERT_TRUE(carried_out(people_->create()));
        ASSERT_TRUE(carried_out(people_->insert(entity("p", "1"))));
    }

    table_client& people() { return *people_; }

    /// The response of `write` if the write-ahead log cannot grow.
    template <class Write> response with_full_log(Write write) {
        file_size_limit const limit{std::filesystem::file_size(path() + "-wal")};
        return write();
    }

private:
    store_ptr store_;
    std::optional<table_client> people_;
};

TEST_F(failing_commit, leaves_a_write_in_doubt) {
    auto const r = with_full_log([&] { return people().insert(entity("p", "2")); });
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.failure->code(), store_errc::io_failed) << r.failure->what();
    EXPECT_EQ(r.outcome(), outcome::in_doubt);
    EXPECT_FALSE(r.failure->retryable());
}

TEST_F(failing_commit, leaves_a_group_in_doubt_and_blames_no_operation) {
    auto const r = with_full_log([&] {
        return people().transact({operation(write_kind::insert, entity("p", "2")), erasure("p", "1")});
    });
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.outcome(), outcome::in_doubt);
    EXPECT_FALSE(r.failure->failed_index());
}

TEST_F(failing_commit, leaves_tables_in_doubt) {
    EXPECT_EQ(with_full_log([&] { return people().drop(); }).outcome(), outcome::in_doubt);
}

TEST_F(failing_commit, leaves_the_store_as_it_was_and_usable) {
    with_full_log([&] { return people().insert(entity("p", "2")); });
    EXPECT_EQ(row_keys(people().all()), std::vector<std::string>{"1"});
    EXPECT_TRUE(carried_out(people().insert(entity("p", "2"))));
    EXPECT_EQ(row_keys(people().all()), (std::vector<std::string>{"1", "2"}));
}

}  // namespace
}  // namespace tablemap::test
