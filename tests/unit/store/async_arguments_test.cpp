// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/argument_member.hpp"

#include "tablemap/async.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/tablemap.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <type_traits>

/// Arguments that are temporaries in a `co_await` expression. What g++ 12 would destroy twice, the sanitizers and the
/// allocator find; each text is longer than the small buffer of a string, so that it is on the heap.
namespace {

namespace tmap = tablemap;
namespace asio = boost::asio;
using namespace std::chrono_literals;

char const* const long_id = "a request id that is longer than the small buffer of a string";

struct item {
    std::string shelf{};
    std::int32_t number{};
    std::string name{};
};

/// With an index of expiry times.
struct loan {
    std::string shelf{};
    std::int32_t number{};
    tmap::ticks until{};
};

/// In two rows.
struct catalogue {
    std::string shelf{};
    std::int32_t number{};
    std::string titles{};
    std::string notes{};
};

}  // namespace

template <> struct tablemap::mapping<item> {
    static constexpr auto partition_key = tmap::key(tmap::part<&item::shelf>);
    static constexpr auto row_key = tmap::key("i_", tmap::part<&item::number>.width(6));
    static constexpr auto indexes =
        tmap::indexes(tmap::index<"by_name">(tmap::key("name_", tmap::part<&item::name>.escaped())));
};

template <> struct tablemap::mapping<loan> {
    static constexpr auto partition_key = tmap::key(tmap::part<&loan::shelf>);
    static constexpr auto row_key = tmap::key("loan_", tmap::part<&loan::number>.width(6));
    static constexpr auto indexes = tmap::indexes(
        tmap::expiry_in<"LoanExpiry">(tmap::part<&loan::until>, tmap::spread<2>(tmap::part<&loan::number>)));
};

template <> struct tablemap::mapping<catalogue> {
    static constexpr auto partition_key = tmap::key(tmap::part<&catalogue::shelf>);
    static constexpr auto row_key = tmap::key("c_", tmap::part<&catalogue::number>.width(6));
    static constexpr auto wide = tmap::next_row_at<&catalogue::notes>;
};

namespace {

constexpr auto awaited = asio::use_awaitable;
char const* const shelf = "a shelf whose name is longer than the small buffer of a string";

class async_arguments : public ::testing::Test {
protected:
    async_arguments() { tmap::table<item>{store, "Items"}.create(); }

    void run(asio::awaitable<void> work) {
        asio::io_context io;
        std::exception_ptr thrown;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr e) { thrown = e; });
        io.run();
        if (thrown) std::rethrow_exception(thrown);
    }

    tmap::store_ptr const store = tmap::value_or_throw(tmap::open_embedded({.path = ":memory:"}));
    tmap::async_table<item> table{store, "Items"};
    std::stop_source source{};
};

TEST_F(async_arguments, call_options_may_be_temporaries) {
    run([](tmap::async_table<item> items, std::stop_source stop) -> asio::awaitable<void> {
        item const i{.shelf = shelf, .number = 1, .name = "one"};
        co_await items.insert(i, tmap::call_options{.deadline = tmap::within(50s)}, awaited);
        auto const found = co_await items.find(
            {shelf, 1}, tmap::call_options{.stop = stop.get_token(), .request_id = long_id}, awaited);
        EXPECT_EQ(found->value.name, "one");
        co_await items.erase(*found, tmap::call_options{}, awaited);
        co_await items.exists(tmap::call_options{.request_id = long_id}, awaited);
    }(table, source));
}

TEST_F(async_arguments, call_options_of_ranges_may_be_temporaries) {
    run([](tmap::async_table<item> items, std::stop_source stop) -> asio::awaitable<void> {
        EXPECT_EQ(co_await items
                      .query(tmap::partition(std::string{shelf}), tmap::row_range(1, 5),
                             {.stop = stop.get_token(), .request_id = long_id})
                      .count(awaited),
                  0u);
        EXPECT_FALSE(co_await items.scan(tmap::call_options{.stop = stop.get_token()}).first(awaited));
    }(table, source));
}

TEST_F(async_arguments, keys_and_partitions_may_be_temporaries) {
    run([](tmap::async_table<item> items) -> asio::awaitable<void> {
        EXPECT_FALSE(co_await items.find({std::string{shelf}, 1}, awaited));
        EXPECT_FALSE(co_await items.find(tmap::key_of<item>{shelf, 1}, awaited));
        co_await items.erase_any({shelf, 1}, awaited);
        EXPECT_EQ(co_await items.query_by<"by_name">(tmap::partition(std::string{shelf})).count(awaited), 0u);
    }(table));
}

TEST_F(async_arguments, functions_without_captured_objects_may_be_temporaries) {
    run([](tmap::async_table<item> items) -> asio::awaitable<void> {
        item const i{.shelf = shelf, .number = 1, .name = "one"};
        co_await items.insert(i, awaited);
        std::string const name = long_id;
        co_await items.modify(
            {shelf, 1}, [&](item& x) { x.name = name; }, awaited);
        co_await items.modify(
            {shelf, 1}, [&](item& x) { x.number += 0; }, {.attempts = 3}, tmap::call_options{}, awaited);
        auto const named = [name](item& x) { x.name = name + name; };
        auto const e = co_await items.modify({shelf, 1}, named, awaited);
        EXPECT_EQ(e.value.name, name + name);
        auto const same = co_await items.modify({shelf, 1}, std::ref(named), awaited);
        EXPECT_EQ(same.value.name, name + name);
    }(table));
}

TEST_F(async_arguments, what_a_merge_chooses_may_be_a_temporary) {
    tmap::async_table<tmap::dynamic_entity> const untyped{store, "Items"};
    run([](tmap::async_table<item> items, tmap::async_table<tmap::dynamic_entity> raw) -> asio::awaitable<void> {
        item const i{.shelf = shelf, .number = 1, .name = "one"};
        auto e = co_await items.insert(i, awaited);
        e.value.name = long_id;
        co_await items.merge(e, tmap::only<&item::name>, tmap::call_options{.request_id = long_id}, awaited);
        co_await items.merge(e, tmap::changed_since(i), awaited);
        auto found = co_await raw.find({shelf, "i_000001"}, awaited);
        tmap::only_properties const name{"name"};  // g++ 12 compiles no such list there
        co_await raw.merge(*found, name, awaited);
    }(table, untyped));
}

TEST_F(async_arguments, keys_and_options_of_wide_tables_may_be_temporaries) {
    run([](tmap::async_wide_table<catalogue> all) -> asio::awaitable<void> {
        co_await all.create(tmap::call_options{.request_id = long_id}, awaited);
        catalogue const c{.shelf = shelf, .number = 1, .titles = long_id};
        co_await all.insert(c, tmap::call_options{.request_id = long_id}, awaited);
        auto const e = co_await all.modify(
            {shelf, 1}, [](catalogue& x) { x.notes = long_id; }, awaited);
        EXPECT_EQ(e.value.notes, long_id);
        EXPECT_TRUE(co_await all.find({std::string{shelf}, 1}, tmap::call_options{.request_id = long_id}, awaited));
        EXPECT_TRUE(co_await all.query(tmap::partition(std::string{shelf}), {.request_id = long_id})
                        .page_size(5)
                        .next(awaited));
        EXPECT_TRUE(co_await all.erase_any({shelf, 1}, awaited));
    }(tmap::async_wide_table<catalogue>{store, "Catalogues"}));
}

TEST_F(async_arguments, of_sweeps_and_of_reads_of_what_expires_may_be_temporaries) {
    tmap::async_table<loan> const loans{store, "Loans"};
    tmap::table<loan>{store, "Loans"}.create();
    tmap::table<tmap::dynamic_entity>{store, "LoanExpiry"}.create();
    run([](tmap::async_table<loan> t) -> asio::awaitable<void> {
        tmap::async_expiry_sweeper const sweeper{t};
        auto const swept = co_await sweeper.sweep(tmap::call_options{.request_id = long_id}, awaited);
        EXPECT_TRUE(swept.complete());
        auto const refused = co_await sweeper.sweep_from(std::string{long_id}, awaited);
        EXPECT_TRUE(refused.ended_by.has_value());
        tmap::async_unexpired_table const live{t};
        EXPECT_FALSE(co_await live.find({std::string{shelf}, 1}, tmap::call_options{.request_id = long_id}, awaited));
        EXPECT_FALSE(co_await live.query(tmap::partition(std::string{shelf}), {.request_id = long_id}).next(awaited));
    }(loans));
}

TEST_F(async_arguments, lines_of_logs_and_names_of_samples_may_be_temporaries) {
    auto const lost = [](tmap::lost_lines const&) {};
    tmap::async_log_writer const log{store, "logs", {.name = "requests"}, {.on_lost = lost}};
    run([](tmap::store_ptr s, tmap::async_log_writer w) -> asio::awaitable<void> {
        co_await w.write(std::string{long_id}, tmap::call_options{.request_id = long_id}, awaited);
        co_await w.close(tmap::call_options{.request_id = long_id}, awaited);
        tmap::async_log_reader const r{s, "logs", {.name = "requests"}};
        auto const line = co_await r.lines(tmap::period<>{}, {.request_id = long_id}).next(awaited);
        EXPECT_EQ(line->text, long_id);
        EXPECT_EQ((co_await r.files(tmap::call_options{.request_id = long_id}, awaited)).size(), 1u);
        auto const sample = co_await tmap::async_sample_partitions(s, std::string{"Items"}, {.rows = 5},
                                                                   tmap::call_options{.request_id = long_id}, awaited);
        EXPECT_EQ(sample.rows, 0u);
    }(store, log));
}

/// The copy that g++ 12 makes of the bytes of a temporary.
template <class T> struct byte_copy {
    explicit byte_copy(T const& from) { std::memcpy(&bytes, &from, sizeof(T)); }
    T& get() { return *reinterpret_cast<T*>(&bytes); }
    alignas(T) std::byte bytes[sizeof(T)];
};

TEST(argument_members, are_not_destroyed_where_their_bytes_were_copied_to) {
    using text = tmap::detail::address_checked<std::shared_ptr<int>>;
    text const original = std::make_shared<int>(7);
    byte_copy<text> copy{original};
    text const kept = std::move(copy.get());
    EXPECT_EQ(original.use_count(), 2) << "what is taken from the copy is a share, not the share of the original";
    copy.get().~text();
    EXPECT_EQ(original.use_count(), 2);
    EXPECT_EQ(*kept, 7);
}

TEST(argument_members, are_used_as_what_they_hold) {
    tmap::call_options o{.request_id = "id"};
    EXPECT_EQ(o.request_id, "id");
    o.request_id = std::string{"other"};
    tmap::call_options const copy = o;
    o.request_id = {};
    o.stop = {};
    EXPECT_EQ(copy.request_id, "other");
    EXPECT_TRUE(o.request_id.empty());
    EXPECT_FALSE(o.stop.stop_possible());
    std::stop_source source;
    o.stop = source.get_token();
    source.request_stop();
    EXPECT_TRUE(o.stop.stop_requested());
}

static_assert(std::is_aggregate_v<tmap::call_options>, "the options of a call are given by designated initialisers");

}  // namespace
