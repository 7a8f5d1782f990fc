// SPDX-License-Identifier: Apache-2.0
#include "support/answers.hpp"
#include "support/async_calls.hpp"
#include "support/elsewhere_samples.hpp"
#include "support/observing.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/patterns/async_index_elsewhere.hpp"
#include "tablemap/patterns/async_index_relay.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using async_clerks_by_email = async_index_elsewhere<clerk, "by_email">;

class async_index_relay_of_clerks : public ::testing::Test {
protected:
    async_index_relay_of_clerks() {
        blocking.create();
        relay.create_if_not_exists(future).get();
    }

    static clerk ann(std::int32_t id = 1, std::string email = "a@x") {
        return {"Bonn", id, "Ann", std::move(email), id + 10};
    }
    void insert(std::int32_t count) const {
        for (std::int32_t id = 1; id <= count; ++id) blocking.insert(ann(id));
    }
    template <class Entities> static std::vector<std::int32_t> ids(Entities const& all) {
        std::vector<std::int32_t> found;
        for (auto const& e : all) found.push_back(e.value.id);
        return found;
    }

    std::shared_ptr<faulty_store> faulty =
        std::make_shared<faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    store_ptr store = faulty;
    table<clerk> blocking{store, "Clerks"};
    async_table<clerk> clerks{store, "Clerks"};
    async_index_relay<clerk> relay{clerks};
    async_clerks_by_email by_email{clerks};
};

// --- the relay -------------------------------------------------------------------------------------------------------

TEST_F(async_index_relay_of_clerks, completes_a_coroutine_for_every_operation) {
    run([](async_index_relay<clerk> const r, async_table<clerk> const t) -> asio::awaitable<void> {
        co_await r.create_if_not_exists(awaited);
        clerk const a = ann();
        co_await t.insert(a, awaited);
        auto const done = co_await r.run_once(partition("Bonn"), awaited);
        EXPECT_EQ(done.written, 1U);
        auto const swept = co_await r.sweep(awaited);
        EXPECT_EQ(swept.intents, 0U);
        auto const checked = co_await r.verify(awaited);
        EXPECT_TRUE(checked.in_step());
    }(relay, clerks));
    EXPECT_THAT(relay.tables(), ElementsAre(table_by_email));
    EXPECT_EQ(rows_of_index(blocking, store), implied_by(blocking));
}

TEST_F(async_index_relay_of_clerks, repairs_what_it_finds) {
    insert(2);
    relay.sweep(future).get();
    table<dynamic_entity> const rows{store, table_by_email};
    rows.erase_any("a@x", "by_email_Bonn !_clerk_000002");
    EXPECT_EQ(relay.verify(call_options{}, future).get().missing, 1U);
    EXPECT_EQ(relay.rebuild(call_options{}, future).get().repaired, 1U);
    EXPECT_EQ(rows_of_index(blocking, store), implied_by(blocking));
}

TEST_F(async_index_relay_of_clerks, runs_until_it_is_stopped) {
    insert(1);
    std::stop_source stop;
    async_index_relay<clerk> const quick{clerks, {.sweep_every = 1ms}};
    auto ended = quick.run({.stop = stop.get_token()}, future);
    while (intents_in(store, "Clerks") > 0) std::this_thread::yield();
    stop.request_stop();
    EXPECT_EQ(ended.get().written, 1U);
}

TEST_F(async_index_relay_of_clerks, reports_the_fault_of_a_store) {
    insert(1);
    faulty->fail_next(fault::busy);
    auto const r = outcome_of(relay.sweep(future));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().table(), "Clerks");
    EXPECT_EQ(relay.sweep(future).get().written, 1U);
}

TEST_F(async_index_relay_of_clerks, names_the_table_that_it_cannot_create) {
    faulty->fail_next(fault::busy);
    auto const r = outcome_of(relay.create_if_not_exists(future));
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().table(), table_by_email);
}

TEST_F(async_index_relay_of_clerks, refuses_options_that_cannot_be_used) {
    EXPECT_THROW((async_index_relay<clerk>{clerks, {.page_size = 0}}), error);
}

TEST_F(async_index_relay_of_clerks, goes_on_after_it_is_destroyed) {
    insert(3);
    EXPECT_EQ(async_index_relay<clerk>{clerks}.sweep(future).get().written, 3U);
}

TEST_F(async_index_relay_of_clerks, reports_its_operations_under_the_table_of_the_entities) {
    auto const seen = std::make_shared<keeping_observer>();
    async_table<clerk> const observed{with_observer(store, seen), "Clerks"};
    async_index_relay<clerk>{observed}.sweep(future).get();
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_EQ(seen->operations[0].action, "sweep");
    EXPECT_EQ(seen->operations[0].table, "Clerks");
}

// --- look-ups --------------------------------------------------------------------------------------------------------

TEST_F(async_index_relay_of_clerks, finds_entities_by_their_value) {
    insert(3);
    relay.sweep(future).get();
    run([](async_clerks_by_email const i) -> asio::awaitable<void> {
        auto const found = co_await i.find_all(partition("a@x"), awaited);
        EXPECT_THAT(ids(found), ElementsAre(1, 2, 3));
        auto const none = co_await i.find_all(partition("an address that is longer than a small buffer"), awaited);
        EXPECT_THAT(none, IsEmpty());
        auto copies = i.copies(partition("a@x"));
        EXPECT_EQ(co_await copies.count(awaited), 3U);
        auto const first = co_await copies.next(awaited);
        EXPECT_EQ(first->value.id, 1);
    }(by_email));
}

TEST_F(async_index_relay_of_clerks, never_finds_an_entity_by_a_value_that_it_has_no_longer) {
    insert(2);
    relay.sweep(future).get();
    blocking.modify({"Bonn", 1}, [](clerk& c) { c.email = "b@x"; });
    EXPECT_THAT(ids(by_email.find_all(partition("a@x"), future).get()), ElementsAre(2));
    EXPECT_THAT(by_email.find_all(partition("b@x"), future).get(), IsEmpty());
}

TEST_F(async_index_relay_of_clerks, takes_rows_and_options_before_the_token) {
    insert(2);
    relay.sweep(future).get();
    call_options const o{.request_id = "an id that is longer than the small buffer of a string"};
    EXPECT_THAT(by_email.find_all(partition("a@x"), o, future).get(), SizeIs(2));
    EXPECT_THAT(by_email.find_all(partition("a@x"), leading(), future).get(), SizeIs(2));
    EXPECT_THAT(by_email.find_all(partition("a@x"), leading(), o, future).get(), SizeIs(2));
    EXPECT_EQ(by_email.copies(partition("a@x"), leading(), o).count(future).get(), 2U);
    page_selection const one{.top = 1};
    EXPECT_THAT(by_email.find_page(partition("a@x"), one, o, future).get().entities, SizeIs(1));
    EXPECT_THAT(by_email.find_page(partition("a@x"), leading(), one, o, future).get().entities, SizeIs(1));
}

TEST_F(async_index_relay_of_clerks, finds_entities_page_by_page) {
    insert(5);
    relay.sweep(future).get();
    run([](async_clerks_by_email const i) -> asio::awaitable<void> {
        std::vector<std::int32_t> found;
        page_selection which{.top = 2};
        for (bool more = true; more;) {
            auto const page = co_await i.find_page(partition("a@x"), which, awaited);
            for (auto const& e : page.entities) found.push_back(e.value.id);
            more = page.next.has_value();
            which.from = page.next.value_or("");
        }
        EXPECT_THAT(found, ElementsAre(1, 2, 3, 4, 5));
    }(by_email));
}

TEST(async_index_elsewhere, reads_pages_of_the_selected_rows_alone) {
    auto const store = value_or_throw(open_embedded({.path = ":memory:"}));
    table<device> const devices{store, "Devices"};
    devices.create();
    for (std::int32_t year = 1990; year <= 2001; ++year) devices.insert({"Bonn", year, "X", year, false});
    index_relay<device>{devices}.sweep();
    async_index_elsewhere<device, "by_model"> const by_model{async_table<device>{store, "Devices"}};
    page_selection one{.top = 1};
    EXPECT_THAT(by_model.find_page(partition("X"), leading(2001), one, future).get().entities, SizeIs(1));
    auto const first = by_model.find_page(partition("X"), row_range(2000, 2002), one, future).get();
    ASSERT_TRUE(first.next);
    one.from = *first.next;
    auto const second = by_model.find_page(partition("X"), row_range(2000, 2002), one, future).get();
    ASSERT_THAT(second.entities, SizeIs(1));
    EXPECT_EQ(second.entities[0].value.year, 2001);
    auto const other = outcome_of(by_model.find_page(partition("X"), leading(2001), one, future));
    EXPECT_TRUE(failed_with(other, library_errc::invalid_cursor));
}

}  // namespace
}  // namespace tablemap::test
