// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "support/calling_receiver.hpp"

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

    /// Sends a read, and calls `then` within its receiver.
    std::future<std::thread::id> read(std::function<void()> then = [] {}) {
        auto& c = calls_.emplace_back();
        store_->async_execute(read_, none_, c.to.emplace([&c, then](auto& answer) {
            then();
            EXPECT_TRUE(answer.ok());
            c.thread.set_value(std::this_thread::get_id());
        }));
        return c.thread.get_future();
    }

    std::function<void()> within_write = [] {};
    store_ptr& opened() { return store_; }

private:
    struct call {
        std::promise<std::thread::id> thread{};
        std::optional<calling_receiver> to{};
    };

    ticks now() {
        within_write();
        return ticks::now();
    }

    call_options const none_{};
    request const read_ = get_entity{"People", "p", "r"};
    std::list<call> calls_{};
    store_ptr store_{};
};

bool has_come(std::future<std::thread::id> const& f) {
    return f.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
}

TEST_F(reads_at_once, are_those_of_a_store_in_memory) {
    open_store(":memory:");
    auto thread = read();
    ASSERT_TRUE(has_come(thread));
    EXPECT_EQ(thread.get(), std::this_thread::get_id());
}

TEST_F(reads_at_once, are_none_of_a_file_which_may_have_to_wait_for_the_disk) {
    open_store(path());
    EXPECT_NE(read().get(), std::this_thread::get_id());
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
