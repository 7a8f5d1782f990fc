// SPDX-License-Identifier: Apache-2.0
#include "contract/fixture.hpp"

#include "support/bulk_checks.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class async_bulk : public seam {
protected:
    async_table<bulk_item> async_items() { return {shared_store(), table().table()}; }
    tablemap::table<bulk_item> items() { return {shared_store(), table().table()}; }
};
TABLEMAP_ON_EVERY_STORE(async_bulk);

TEST_P(async_bulk, writes_a_range_that_is_borrowed) {
    random_source random;
    auto const rows = mixed_items(1'000, 7, random);
    auto const report = async_items().insert_many(rows, asio::use_future).get();
    EXPECT_TRUE(report.complete());
    expect_ledger_tells(report, rows, items());
}

TEST_P(async_bulk, keeps_a_temporary_range) {
    random_source random;
    auto const rows = mixed_items(500, 3, random);
    auto done = async_items().upsert_many(std::vector(rows), call_options{}, asio::use_future);
    expect_ledger_tells(done.get(), rows, items());
}

TEST_P(async_bulk, reads_a_function) {
    auto done = async_items().insert_many(
        [i = 0]() mutable -> std::optional<bulk_item> {
            if (i == 300) return std::nullopt;
            ++i;
            return bulk_item{"p", std::to_string(i), i};
        },
        asio::use_future);
    EXPECT_EQ(done.get().totals.stored, 300u);
}

TEST_P(async_bulk, completes_a_coroutine) {
    asio::io_context io;
    random_source random;
    auto const rows = mixed_items(400, 5, random);
    auto work = [](async_table<bulk_item> t, std::vector<bulk_item> const& source) -> asio::awaitable<erase_report> {
        bulk_options const options;
        auto const stored = co_await t.insert_many(source, options, asio::use_awaitable);
        EXPECT_TRUE(stored.complete());
        co_return co_await t.erase_where(t.scan(), asio::use_awaitable);
    };
    erase_report erased;
    asio::co_spawn(io, work(async_items(), rows), [&](std::exception_ptr e, erase_report r) {
        if (e) std::rethrow_exception(e);
        erased = std::move(r);
    });
    io.run();
    EXPECT_EQ(erased.erased(), 400u);
    EXPECT_EQ(items().scan().count(), 0u);
}

TEST_P(async_bulk, delivers_what_a_source_throws) {
    auto done = async_items().insert_many(
        [i = 0]() mutable -> std::optional<bulk_item> {
            if (++i > 250) throw std::domain_error{"no"};
            return bulk_item{"p", std::to_string(i), i};
        },
        asio::use_future);
    EXPECT_THROW(static_cast<void>(done.get()), std::domain_error);
}

TEST_P(async_bulk, stops) {
    std::stop_source stop;
    bulk_options const options;
    auto done = async_items().insert_many(
        [&, i = 0]() mutable -> std::optional<bulk_item> {
            if (++i == 250) stop.request_stop();
            return bulk_item{"p", std::to_string(i), i};
        },
        options, call_options{.stop = stop.get_token()}, asio::use_future);
    auto const report = done.get();
    EXPECT_EQ(report.ended_by->code(), library_errc::cancelled);
    EXPECT_EQ(report.ledger.rows(), 250u);
    auto const held = items().scan().count();
    EXPECT_GE(held, report.totals.stored);
    EXPECT_LE(held, report.totals.stored + report.totals.in_doubt) << "a request under way may have been cut off";
}

}  // namespace
}  // namespace tablemap::test
