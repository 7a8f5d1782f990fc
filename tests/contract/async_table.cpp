// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <vector>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class async_tables : public employees_test {
protected:
    void SetUp() override {
        employees_test::SetUp();
        if (!shared_store()) return;
        async_.emplace(shared_store(), table().table());
    }
    async_table<employee>& async_employees() { return *async_; }

    /// Runs a coroutine to its end on this thread; what it throws fails the test.
    void run(asio::awaitable<void> work) {
        asio::io_context io;
        std::exception_ptr thrown;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr e) { thrown = e; });
        io.run();
        if (thrown) std::rethrow_exception(thrown);
    }

private:
    std::optional<async_table<employee>> async_;
};
TABLEMAP_ON_EVERY_STORE(async_tables);

TEST_P(async_tables, every_operation_completes_a_coroutine) {
    run([](async_table<employee>& t, employee const person) -> asio::awaitable<void> {
        auto e = co_await t.insert(person, asio::use_awaitable);
        e.value.age = 40;
        co_await t.replace(e, asio::use_awaitable);
        e.value.age = 41;
        co_await t.merge(e, asio::use_awaitable);
        e.value.age = 42;
        co_await t.merge(e, only<&employee::age>, asio::use_awaitable);
        auto const found = co_await t.find({"Sales", 212}, asio::use_awaitable);
        EXPECT_EQ(found->value.age, 42);
        EXPECT_EQ(found->etag, e.etag);
        auto const changed = co_await t.modify(
            {"Sales", 212}, [](employee& x) { ++x.age; }, asio::use_awaitable);
        EXPECT_EQ(changed.value.age, 43);
        e = changed;
        e.value.age = 44;
        EXPECT_TRUE(co_await t.merge(e, changed_since(changed), asio::use_awaitable));
        modify_options const few{.attempts = 3};
        auto const again = co_await t.modify(
            {"Sales", 212}, [](employee& x) { ++x.age; }, few, asio::use_awaitable);
        EXPECT_EQ(again.value.age, 45);
        co_await t.erase(again, asio::use_awaitable);
        auto const made = co_await t.modify_or_insert(
            person, [](employee& x) { x.age = 1; }, asio::use_awaitable);
        EXPECT_EQ(made.value.age, 1);
        auto const kept = co_await t.modify_or_insert(
            person, [](employee& x) { ++x.age; }, few, asio::use_awaitable);
        EXPECT_EQ(kept.value.age, 2);
        co_await t.erase(kept, asio::use_awaitable);
        EXPECT_FALSE(co_await t.find({"Sales", 212}, asio::use_awaitable));
    }(async_employees(), don()));
}

TEST_P(async_tables, every_unconditional_operation_completes_a_coroutine) {
    run([](async_table<employee>& t, employee person) -> asio::awaitable<void> {
        EXPECT_FALSE(co_await t.create_if_not_exists(asio::use_awaitable));
        co_await t.upsert_replace(person, asio::use_awaitable);
        person.age = 50;
        co_await t.upsert_merge(person, asio::use_awaitable);
        person.age = 51;
        co_await t.upsert_merge(person, only<&employee::age>, asio::use_awaitable);
        co_await t.replace_any(person, asio::use_awaitable);
        person.age = 52;
        auto const tag = co_await t.merge_any(person, only<&employee::age>, asio::use_awaitable);
        auto const found = co_await t.find({"Sales", 212}, asio::use_awaitable);
        EXPECT_EQ(found->value.age, 52);
        EXPECT_EQ(found->etag, tag);
        EXPECT_TRUE(co_await t.erase_any({"Sales", 212}, asio::use_awaitable));
        EXPECT_FALSE(co_await t.erase_any({"Sales", 212}, asio::use_awaitable));
        co_await t.delete_table(asio::use_awaitable);
        EXPECT_FALSE(co_await t.delete_if_exists(asio::use_awaitable));
        co_await t.create(asio::use_awaitable);
    }(async_employees(), don()));
}

TEST_P(async_tables, a_coroutine_walks_over_the_pages_of_a_partition) {
    std::vector<std::string> rows;
    for (int i = 0; i < 1200; ++i) rows.push_back("empid_" + std::to_string(100000 + i));
    put_rows("Sales", rows);
    std::vector<std::int32_t> ids;
    run([](async_table<employee>& t, std::vector<std::int32_t>& out) -> asio::awaitable<void> {
        auto range = t.query(partition("Sales"));
        while (auto e = co_await range.next(asio::use_awaitable)) out.push_back(e->value.id);
        EXPECT_FALSE(co_await range.next(asio::use_awaitable));
    }(async_employees(), ids));
    ASSERT_EQ(ids.size(), rows.size());
    EXPECT_EQ(ids.front(), 100000);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
}

TEST_P(async_tables, a_coroutine_merges_one_property_of_a_row_of_any_type) {
    employees().insert(don());
    async_table<dynamic_entity> const rows{shared_store(), table().table()};
    run([](async_table<dynamic_entity> const& t) -> asio::awaitable<void> {
        auto e = *co_await t.find({"Sales", "empid_000212"}, asio::use_awaitable);
        e.value.set("age", std::int32_t{50});
        e.value.set("first_name", "not sent");
        only_properties const age{"age"};
        co_await t.merge(e, age, asio::use_awaitable);
    }(rows));
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 50);
    auto row = *rows.find({"Sales", "empid_000212"}, asio::use_future).get();
    row.value.set("age", std::int32_t{51});
    rows.merge(row, only_properties{"age"}, asio::use_future).get();
    auto changed = don();
    changed.age = 51;
    EXPECT_EQ(employees().find("Sales", 212)->value, changed);
}

TEST_P(async_tables, a_future_throws_the_error_that_the_blocking_form_throws) {
    employees().insert(don());
    auto const person = don();
    auto f = async_employees().insert(person, asio::use_future);
    try {
        f.get();
        FAIL() << "the second insert was taken";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), service_errc::entity_already_exists);
        EXPECT_EQ(e.table(), employees().name());
    }
}

TEST_P(async_tables, what_cannot_be_encoded_reaches_the_handler_and_nothing_is_sent) {
    asio::io_context io;
    auto person = don();
    person.department = "a/b";
    std::error_code seen;
    async_employees().insert(person, asio::bind_executor(io, [&](std::exception_ptr e, tablemap::entity<employee>) {
                                 try {
                                     std::rethrow_exception(e);
                                 } catch (error const& x) {
                                     seen = x.code();
                                 }
                             }));
    EXPECT_FALSE(seen) << "the handler ran inside the initiating call";
    io.run();
    EXPECT_EQ(seen, library_errc::invalid_key);
}

TEST_P(async_tables, a_deadline_that_has_passed_sends_nothing) {
    call_options o;
    o.deadline = within(std::chrono::seconds{-1});
    auto const person = don();
    EXPECT_THROW(async_employees().insert(person, o, asio::use_future).get(), error);
    EXPECT_FALSE(employees().find("Sales", 212));
}

TEST_P(async_tables, modify_from_many_operations_at_once_loses_no_change) {
    constexpr int writers = 40;
    employees().insert(don());
    std::vector<std::future<tablemap::entity<employee>>> all;
    for (int i = 0; i < writers; ++i)
        all.push_back(async_employees().modify(
            {"Sales", 212}, [](employee& e) { ++e.age; }, asio::use_future));
    for (auto& f : all) f.get();
    EXPECT_EQ(employees().find("Sales", 212)->value.age, don().age + writers);
}

TEST_P(async_tables, ten_thousand_inserts_at_once_are_stored_once_each) {
    constexpr std::int32_t count = 10'000;
    // Without a deadline a request may wait for a connection no longer than `longest_request`, and these wait in a long
    // row.
    call_options patient;
    patient.deadline = within(std::chrono::minutes{8});
    asio::io_context io;
    int stored = 0;
    for (std::int32_t id = 0; id < count; ++id) {
        employee const person{.department = "Sales", .id = id};
        async_employees().insert(person, patient,
                                 asio::bind_executor(io, [&](std::exception_ptr e, tablemap::entity<employee>) {
                                     if (!e) ++stored;
                                 }));
    }
    io.run();
    EXPECT_EQ(stored, count);
    std::int32_t found = 0;
    for (auto const& e : employees().query(partition("Sales"))) EXPECT_EQ(e.value.id, found++);
    EXPECT_EQ(found, count);
}

TEST_P(async_tables, a_table_and_a_range_may_go_while_operations_are_under_way) {
    asio::io_context io;
    std::optional<tablemap::entity<employee>> seen;
    employees().insert(don());
    {
        async_table<employee> t{shared_store(), table().table()};
        auto range = t.query(partition("Sales"));
        range.next(asio::bind_executor(
            io, [&](std::exception_ptr, std::optional<tablemap::entity<employee>> e) { seen = std::move(e); }));
    }
    io.run();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->value, don());
}

}  // namespace
}  // namespace tablemap::test
