// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/move_samples.hpp"
#include "support/outbox_samples.hpp"

#include "tablemap/async.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

auto const future = asio::use_future;

using staff_outbox_async = async_outbox<staff, archive_staff, greet_staff>;

/// The relay of a table that archives in the same table, by operations that do not block.
auto relay_by_operations(staff_outbox_async const& of, async_table<archived> const& archive) {
    return async_relay{of,
                       {.attempts = 1},
                       on<archive_staff>([archive](archive_staff const& e, effect_context const&, effect_end end) {
                           archived const row{"Don", e.id, e.version};
                           archive.upsert_replace(row, std::move(end));
                       }),
                       on<greet_staff>([](greet_staff const&) {})};
}

class async_outboxes : public seam {
protected:
    template <class T> async_table<T> rows() { return {shared_store(), table().table()}; }
    staff_outbox_async box() { return staff_outbox_async{rows<staff>()}; }
    auto relay() { return relay_by_operations(box(), rows<archived>()); }

    void hire(std::int32_t id, std::int32_t version = 1) {
        auto t = rows<staff>().transaction();
        t.upsert_replace(staff{"Bonn", id, "Don"});
        box().commit(t, archive_staff{id, version}, future).get();
    }
    template <class Handler> relay_report work(Handler h) {
        return async_relay{box(), {.attempts = 1}, on<archive_staff>(h), on<greet_staff>([](greet_staff const&) {})}
            .run_once(partition("Bonn"), future)
            .get();
    }
};
TABLEMAP_ON_EVERY_STORE(async_outboxes);

TEST_P(async_outboxes, apply_effects_by_asynchronous_operations) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    for (std::int32_t v = 1; v <= 3; ++v) hire(1, v);
    auto const done = relay().run_once(partition("Bonn"), future).get();
    EXPECT_EQ(done.applied, 3U);
    EXPECT_EQ(done.end, pass_end::drained);
    EXPECT_EQ(rows<archived>().find(1, future).get()->value.version, 3);
}

asio::awaitable<relay_report> commit_and_sweep(async_table<staff> people, async_table<archived> archive) {
    staff_outbox_async const box{people};
    auto const relay = relay_by_operations(box, archive);
    auto t = people.transaction();
    t.upsert_replace(staff{"Ulm", 2, "Eve"});
    archive_staff const effect{2, 1};
    co_await box.commit(t, effect, call_options{}, asio::use_awaitable);
    co_return co_await relay.sweep(asio::use_awaitable);
}

TEST_P(async_outboxes, work_in_coroutines) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    asio::io_context io;
    std::optional<relay_report> swept;
    asio::co_spawn(io, commit_and_sweep(rows<staff>(), rows<archived>()), [&](std::exception_ptr e, relay_report r) {
        EXPECT_FALSE(e);
        swept = r;
    });
    io.run();
    ASSERT_TRUE(swept);
    EXPECT_EQ(swept->applied, 2U);
}

TEST_P(async_outboxes, commit_several_effects_and_vectors_of_them) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto t = rows<staff>().transaction();
    t.upsert_replace(staff{"Bonn", 1, "Don"});
    greet_staff const hello{"Hello"};
    std::vector<archive_staff> const some{{1, 1}, {1, 2}};
    auto const receipt = box().commit(t, hello, some, call_options{}, future).get();
    EXPECT_EQ(receipt.etags.size(), 1U);
    EXPECT_EQ(box().status(future).get().pending, 3);
    EXPECT_EQ(box().status(partition("Bonn"), call_options{}, future).get().pending, 3);
}

TEST_P(async_outboxes, commit_without_effects) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto t = rows<staff>().transaction();
    t.upsert_replace(staff{"Bonn", 1, "Don"});
    box().commit(t, future).get();
    EXPECT_TRUE(rows<staff>().find({"Bonn", 1}, future).get());
}

TEST_P(async_outboxes, park_what_fails_and_put_it_back) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    auto const done = work([](archive_staff const&, effect_context const&, effect_end end) {
        std::thread{[end] { end(std::make_exception_ptr(std::runtime_error{"no archive"})); }}.detach();
    });
    EXPECT_EQ(done.parked, 1U);
    EXPECT_THAT(done.last_failure->server_text(), HasSubstr("no archive"));
    EXPECT_EQ(relay().put_back(partition("Bonn"), future).get(), 1U);
    EXPECT_EQ(relay().put_back(future).get().effects, 0U);
    EXPECT_EQ(relay().sweep(call_options{}, future).get().applied, 1U);
}

TEST_P(async_outboxes, take_a_handler_that_forgets_its_end_for_failed) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    auto const done = work([](archive_staff const&, effect_context const&, effect_end) {});
    EXPECT_EQ(done.parked, 1U);
    EXPECT_THAT(done.last_failure->what(), HasSubstr("ended without a result"));
}

TEST_P(async_outboxes, count_the_first_result_of_a_handler) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    auto const done = work([](archive_staff const&, effect_context const&, effect_end end) {
        end();
        end(std::make_exception_ptr(std::runtime_error{"late"}));
        throw std::runtime_error{"later"};
    });
    EXPECT_EQ(done.applied, 1U);
}

TEST_P(async_outboxes, note_an_exception_at_the_beginning_of_a_handler) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    auto const done =
        work([](archive_staff const&, effect_context const&, effect_end) { throw std::runtime_error{"no archive"}; });
    EXPECT_THAT(done.last_failure->server_text(), HasSubstr("no archive"));
}

TEST_P(async_outboxes, call_plain_handlers) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    int calls = 0;
    EXPECT_EQ(work([&](archive_staff const&) { ++calls; }).applied, 1U);
    EXPECT_EQ(calls, 1);
}

TEST_P(async_outboxes, let_blocking_relays_wait_for_asynchronous_handlers) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    auto const archive = rows<archived>();
    staff_outbox const blocking{tablemap::table<staff>{shared_store(), table().table()}};
    tablemap::relay const r{blocking,
                            on<archive_staff>([archive](archive_staff const& e, effect_context const&, effect_end end) {
                                archived const row{"Don", e.id, e.version};
                                archive.upsert_replace(row, std::move(end));
                            }),
                            on<greet_staff>([](greet_staff const&) {})};
    EXPECT_EQ(r.run_once(partition("Bonn")).applied, 1U);
    EXPECT_TRUE(archive.find(1, future).get());
}

TEST_P(async_outboxes, run_until_they_are_stopped) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(1);
    std::stop_source stop;
    auto ended = relay().run({.stop = stop.get_token()}, future);
    while (box().status(future).get().pending > 0) std::this_thread::sleep_for(1ms);
    stop.request_stop();
    EXPECT_EQ(ended.get().applied, 1U);
}

TEST_P(async_outboxes, report_a_partition_that_cannot_be_to_the_token) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    std::string const bad(2000, 'x');
    auto ended = relay().run_once(partition(bad), future);
    EXPECT_THROW(ended.get(), error);
}

TEST_P(async_outboxes, move_entities) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const officers = rows<officer>();
    auto const pensioners = rows<pensioner>();
    officer const don{"Bonn", 1, "Don"};
    auto stored = officers.insert(don, future).get();
    async_outbox<officer, retire> const orders{officers};
    auto t = officers.transaction();
    t.replace(stored);
    orders.commit(t, retire{1}, future).get();
    async_moves const moves{officers, pensioners};
    EXPECT_TRUE(moves.find({"Bonn", 1}, {1}, future).get().source);
    async_relay const r{orders, on_move(pensioners, pensioner_of)};
    EXPECT_EQ(r.sweep(future).get().applied, 1U);
    EXPECT_EQ(moves.find({"Bonn", 1}, {1}, call_options{}, future).get().target->value.name, "Don");
}

}  // namespace
}  // namespace tablemap::test
