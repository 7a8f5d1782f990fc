// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"
#include "unit/embedded/unreliable_disk.hpp"

#include "support/calling_receiver.hpp"

#include <fcntl.h>
#include <sys/uio.h>

#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <optional>
#include <string>
#include <thread>

namespace tablemap::test {
namespace {

/// The threads that answer asynchronous reads of one entity.
class reads_at_once : public embedded_file {
protected:
    void open_store(std::string const& at) {
        store_ = value_or_throw(open_embedded({.path = at, .now = [this] { return now(); }}));
        table_client t{*store_, "People"};
        ASSERT_TRUE(carried_out(t.create()));
        ASSERT_TRUE(carried_out(t.insert(entity("p", "r"))));
    }

    /// A file with several pages of rows, which are named by numbers, in no log.
    void open_file() {
        make_store(rows_);
        store_ = open();
    }

    /// A thread of the store opens the connection of the first read.
    void open_file_and_read() {
        open_file();
        ASSERT_TRUE(carried_out(table_client{*store_, "People"}.get("p", "0")));
    }

    std::future<std::thread::id> read_last() {
        row_ = std::to_string(rows_ - 1);
        return send(get_entity{"People", "p", row_});
    }

    /// Sends a read, and calls `then` within its receiver.
    std::future<std::thread::id> read(std::function<void()> then = [] {}) {
        return send(get_entity{"People", "p", "r"}, std::move(then));
    }

    std::future<std::thread::id> send(
        request what, std::function<void()> then = [] {}) {
        auto& c = calls_.emplace_back();
        c.what = std::move(what);
        store_->async_execute(c.what, none_, c.to.emplace([&c, then](auto& answer) {
            then();
            EXPECT_TRUE(answer.ok());
            c.thread.set_value(std::this_thread::get_id());
        }));
        return c.thread.get_future();
    }

    /// Lets the system drop the file from its memory. False if that still holds its end. Done by another process, since
    /// to close the file here would drop the locks of the store.
    bool forget_in_system() const {
        auto const still_held = [this] {
            int const f = ::open(path().c_str(), O_RDWR);
            char byte = 0;
            iovec const to{&byte, 1};
            bool const dropped = ::fsync(f) == 0 && ::posix_fadvise(f, 0, 0, POSIX_FADV_DONTNEED) == 0;
            return dropped && ::preadv2(f, &to, 1, ::lseek(f, 0, SEEK_END) - 1, RWF_NOWAIT) < 0 && errno == EAGAIN ? 0
                                                                                                                   : 1;
        };
        return exit_status(in_child(still_held)) == 0;
    }

    std::function<void()> within_write = [] {};
    store_ptr& opened() { return store_; }

private:
    static constexpr int rows_ = 300;

    struct call {
        request what = list_tables{};
        std::promise<std::thread::id> thread{};
        std::optional<calling_receiver> to{};
    };

    ticks now() {
        within_write();
        return ticks::now();
    }

    call_options const none_{};
    std::string row_{};
    std::list<call> calls_{};
    store_ptr store_{};
};

/// More than the log may hold before it is folded into the file.
constexpr int grown_rows = 1'500;

bool has_come(std::future<std::thread::id> const& f) {
    return f.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

TEST_F(reads_at_once, are_those_of_a_store_in_memory) {
    open_store(":memory:");
    auto thread = read();
    ASSERT_TRUE(has_come(thread));
    EXPECT_EQ(thread.get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, are_those_of_a_file_that_the_system_holds_in_memory) {
    open_file_and_read();
    auto thread = read_last();
    ASSERT_TRUE(has_come(thread));
    EXPECT_EQ(thread.get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, do_not_open_a_connection) {
    open_file();
    EXPECT_NE(read_last().get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, are_those_of_a_file_that_has_grown) {
    open_file_and_read();
    EXPECT_EQ(read_last().get(), std::this_thread::get_id());
    table_client t{*opened(), "People"};
    for (int i = 0; i < grown_rows; ++i)
        ASSERT_TRUE(carried_out(t.insert(entity("q", std::to_string(i), {{"Text", std::string(1000, 'x')}}))));
    for (int i = 0; i < grown_rows; i += 50) {
        auto const row = std::to_string(i);
        EXPECT_EQ(send(get_entity{"People", "q", row}).get(), std::this_thread::get_id()) << i;
    }
}

TEST_F(reads_at_once, do_not_wait_for_the_disk) {
    open_file_and_read();
    if (!forget_in_system()) GTEST_SKIP() << "this file system keeps every file in memory: " << path();
    EXPECT_NE(read_last().get(), std::this_thread::get_id());
    EXPECT_EQ(read_last().get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, are_none_where_the_file_system_cannot_tell) {
    unreliable_disk const disk{folder().path().string()};
    open_file_and_read();
    EXPECT_NE(read_last().get(), std::this_thread::get_id());
    opened().reset();
}

TEST_F(reads_at_once, do_not_wait_for_another_call) {
    open_store(":memory:");
    std::future<std::thread::id> thread;
    within_write = [&] {
        thread = read();
        EXPECT_FALSE(has_come(thread));
    };
    ASSERT_TRUE(carried_out(table_client{*opened(), "People"}.insert(entity("p", "r2"))));
    EXPECT_NE(thread.get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, are_not_nested) {
    open_store(":memory:");
    std::future<std::thread::id> inner;
    read([&] { inner = read(); }).get();
    EXPECT_NE(inner.get(), std::this_thread::get_id());
}

}  // namespace
}  // namespace tablemap::test
