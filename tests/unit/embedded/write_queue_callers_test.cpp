// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/fixture.hpp"

#include "embedded/connection_pool.hpp"
#include "embedded/sqlite.hpp"
#include "embedded/write_queue.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {
namespace {

using detail::embedded::call_limits;
using detail::embedded::connection_pool;
using detail::embedded::database;
using detail::embedded::prepared_writes;
using detail::embedded::queued_write;

/// Three inserts of one thread.
class writes_of_one_thread : public embedded_file {
protected:
    void SetUp() override { make_store(1); }

    static call_options ended() {
        call_options o;
        o.deadline = std::chrono::steady_clock::time_point{};
        return o;
    }

    /// Another process that writes.
    void hold_file() {
        other_.emplace(path(), std::chrono::milliseconds{0}, false);
        other_->begin_write();
    }

    void carry_out(std::array<call_options, 3> const& calls) {
        connection_pool pool{options_};
        detail::embedded::write_queue queue{pool, options_.now, false};
        std::vector<queued_write*> all;
        for (std::size_t i = 0; i < writes_.size(); ++i) {
            auto const& o = inserts_[i];
            auto& w = requests_[i] = {"People", {o.kind, o.partition_key, o.row_key, o.body, o.if_match}};
            all.push_back(&writes_[i].emplace(prepared_writes{w}, call_limits{calls[i]}));
        }
        queue.carry_out(all);
    }

    bool has_outcome(std::size_t i) const { return writes_[i]->has_outcome(); }
    std::error_code code(std::size_t i) {
        try {
            writes_[i]->take();
            return {};
        } catch (error const& e) {
            return e.code();
        }
    }

private:
    embedded_options const options_{.path = path(), .busy_timeout = std::chrono::milliseconds{0}};
    static owned_operation insertion(char const* row) { return operation(write_kind::insert, entity("p", row)); }

    std::array<owned_operation, 3> const inserts_{insertion("a"), insertion("b"), insertion("c")};
    std::optional<database> other_{};
    std::array<write_entity, 3> requests_{};
    std::array<std::optional<queued_write>, 3> writes_{};
};

TEST_F(writes_of_one_thread, are_carried_out_together) {
    carry_out({});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(code(i), std::error_code{});
}

TEST_F(writes_of_one_thread, do_not_wait_for_those_behind_one_that_ended) {
    hold_file();
    carry_out({ended(), call_options{}, call_options{}});
    EXPECT_EQ(code(0), library_errc::deadline_exceeded);
    EXPECT_FALSE(has_outcome(1));
    EXPECT_FALSE(has_outcome(2));
}

TEST_F(writes_of_one_thread, end_with_the_first_one_if_their_calls_are_to_end) {
    hold_file();
    carry_out({ended(), call_options{}, ended()});
    EXPECT_FALSE(has_outcome(1));
    ASSERT_TRUE(has_outcome(2));
    EXPECT_EQ(code(2), library_errc::deadline_exceeded);
}

TEST_F(writes_of_one_thread, end_together_if_the_file_is_busy) {
    hold_file();
    carry_out({call_options{}, ended(), call_options{}});
    EXPECT_EQ(code(0), store_errc::busy);
    EXPECT_EQ(code(1), library_errc::deadline_exceeded);
    EXPECT_EQ(code(2), store_errc::busy);
}

class writes_of_many_threads : public embedded_file {};

TEST_F(writes_of_many_threads, wait_together_for_a_busy_file) {
    using namespace std::chrono_literals;
    make_store(1);
    auto const store = value_or_throw(open_embedded({.path = path(), .busy_timeout = 500ms}));
    database other{path(), 0ms, false};
    other.begin_write();
    auto const began = std::chrono::steady_clock::now();
    std::atomic<int> busy = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 16; ++i)
            threads.emplace_back([&, row = entity("p", std::to_string(i))] {
                busy += table_client{*store, "People"}.insert(row).failure->code() == store_errc::busy;
            });
    }
    EXPECT_EQ(busy, 16);
    EXPECT_LT(std::chrono::steady_clock::now() - began, 4s) << "one after the other they would wait for 8 s";
}

}  // namespace
}  // namespace tablemap::test
