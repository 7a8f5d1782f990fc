// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "tablemap/async.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <vector>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class async_transactions : public employees_test {};
TABLEMAP_ON_EVERY_STORE(async_transactions);

asio::awaitable<void> insert_then_change(async_table<employee> employees, employee const person) {
    auto t = employees.transaction();
    tablemap::entity<employee> e{.value = person};
    t.insert(e);
    auto const inserted = co_await async_commit(t, asio::use_awaitable);
    EXPECT_EQ(inserted.at(0), e.etag);
    e.value.age = 50;
    t.merge(e, only<&employee::age>);
    t.insert(department_head{.department = "Sales", .name = "Kim"});
    auto const changed = co_await async_commit(t, asio::use_awaitable);
    EXPECT_EQ(changed.size(), 2u);
    EXPECT_EQ(changed.at(0), e.etag);
    EXPECT_TRUE(t.empty());
    auto const found = co_await employees.find({"Sales", 212}, asio::use_awaitable);
    EXPECT_EQ(found->etag, e.etag);
    EXPECT_EQ(found->value.age, 50);
}

TEST_P(async_transactions, complete_a_coroutine) {
    asio::io_context io;
    asio::co_spawn(io, insert_then_change({shared_store(), table().table()}, don()), [](std::exception_ptr e) {
        if (e) std::rethrow_exception(e);
    });
    io.run();
}

TEST_P(async_transactions, throw_from_a_future_what_the_blocking_form_throws) {
    employees().insert(don());
    auto t = employees().transaction();
    t.insert(department_head{.department = "Sales", .name = "Kim"});
    t.insert(don());
    auto f = async_commit(t, asio::use_future);
    try {
        f.get();
        FAIL() << "the second insert was taken";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), service_errc::entity_already_exists);
        EXPECT_EQ(e.failed_index(), 1u);
        EXPECT_EQ(e.failed_key(), (entity_key{"Sales", "empid_000212"}));
        EXPECT_EQ(e.table(), employees().name());
    }
    EXPECT_EQ(t.size(), 2u);
    EXPECT_EQ(table().all().size(), 1u);
}

TEST_P(async_transactions, may_be_destroyed_before_they_complete) {
    std::vector<etag> given;
    asio::io_context io;
    {
        auto t = employees().transaction();
        t.insert(don());
        async_commit(t, asio::bind_executor(io, [&](std::exception_ptr e, std::vector<etag> etags) {
                         EXPECT_FALSE(e);
                         given = std::move(etags);
                     }));
    }
    io.run();
    ASSERT_EQ(given.size(), 1u);
    EXPECT_EQ(employees().find("Sales", 212)->etag, given[0]);
}

TEST_P(async_transactions, take_the_options_of_a_call) {
    auto t = employees().transaction();
    t.insert(don());
    std::stop_source stop;
    stop.request_stop();
    call_options const stopped{.stop = stop.get_token()};
    EXPECT_THROW(async_commit(t, stopped, asio::use_future).get(), error);
    EXPECT_EQ(async_commit(t, asio::use_future).get().size(), 1u);
}

TEST_P(async_transactions, with_a_fault_reach_the_handler_and_send_nothing) {
    auto t = employees().transaction();
    t.insert(don());
    t.insert(don());
    EXPECT_THROW(async_commit(t, asio::use_future).get(), error);
    EXPECT_TRUE(table().all().empty());
}

}  // namespace
}  // namespace tablemap::test
