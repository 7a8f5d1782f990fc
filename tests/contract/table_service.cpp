// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/azurite.hpp"

#include "tablemap/async.hpp"
#include "tablemap/open.hpp"
#include "tablemap/table/service.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace tablemap::test {
namespace {

namespace asio = boost::asio;

class services : public employees_test {
protected:
    table_service service() { return table_service{shared_store()}; }

    static access_policy readers() {
        return {.id = "readers",
                .start = *ticks::parse("2026-01-01T00:00:00Z"),
                .expiry = *ticks::parse("2027-01-01T00:00:00Z"),
                .permissions = table_permission::query};
    }

    void run(asio::awaitable<void> work) {
        asio::io_context io;
        std::exception_ptr thrown;
        asio::co_spawn(io, std::move(work), [&](std::exception_ptr e) { thrown = e; });
        io.run();
        if (thrown) std::rethrow_exception(thrown);
    }
};
TABLEMAP_ON_EVERY_STORE(services);

TEST_P(services, a_table_is_created_found_listed_and_deleted) {
    auto const s = service();
    auto const name = fresh_table_name();
    EXPECT_FALSE(s.has_table(name));
    EXPECT_TRUE(s.create_table_if_not_exists(name));
    EXPECT_FALSE(s.create_table_if_not_exists(name, if_being_deleted::wait));
    EXPECT_TRUE(failed_as(s.try_create_table(name), error_kind::already_exists));
    EXPECT_TRUE(s.has_table(name));
    EXPECT_EQ(s.tables(name), std::vector<std::string>{name});
    auto const all = s.tables();
    EXPECT_EQ(std::count(all.begin(), all.end(), name), 1);
    s.delete_table(name);
    EXPECT_FALSE(s.delete_table_if_exists(name));
    EXPECT_TRUE(s.tables(name).empty());
}

TEST_P(services, a_table_tells_whether_it_exists) {
    EXPECT_TRUE(employees().exists());
    employees().insert(don());
    EXPECT_TRUE(employees().exists());
    employees().delete_table();
    EXPECT_FALSE(employees().exists());
}

TEST_P(services, a_table_keeps_its_policies) {
    employees().set_policies({readers()});
    EXPECT_EQ(employees().policies(), std::vector{readers()});
    employees().set_policies({});
    EXPECT_TRUE(employees().policies().empty());
}

TEST_P(services, properties_are_changed_one_by_one) {
    auto const s = service();
    auto const before = s.properties();
    s.set_properties({.hour_metrics = {{.enabled = true, .retention_days = 5}}});
    auto const after = s.properties();
    EXPECT_EQ(after.hour_metrics->retention_days, 5);
    EXPECT_EQ(after.logging, before.logging);
    s.set_properties(before);
}

TEST_P(services, every_operation_completes_a_coroutine) {
    run([](async_table_service s, async_table<employee> t, std::string name,
           access_policy policy) -> asio::awaitable<void> {
        co_await s.create_table(name, asio::use_awaitable);
        EXPECT_FALSE(co_await s.create_table_if_not_exists(name, asio::use_awaitable));
        EXPECT_TRUE(co_await s.has_table(name, asio::use_awaitable));
        auto const listed = co_await s.tables(name, asio::use_awaitable);
        EXPECT_EQ(listed.size(), 1u);
        co_await s.delete_table(name, asio::use_awaitable);
        EXPECT_FALSE(co_await s.delete_table_if_exists(name, asio::use_awaitable));
        auto const properties = co_await s.properties(asio::use_awaitable);
        co_await s.set_properties(properties, asio::use_awaitable);
        std::vector<access_policy> const policies(1, policy);
        co_await t.set_policies(policies, asio::use_awaitable);
        auto const kept = co_await t.policies(asio::use_awaitable);
        EXPECT_EQ(kept, policies);
        EXPECT_TRUE(co_await t.exists(asio::use_awaitable));
        co_await t.delete_table(asio::use_awaitable);
        co_await t.create(if_being_deleted::wait, asio::use_awaitable);
    }(async_table_service{shared_store()}, async_table<employee>{shared_store(), table().table()}, fresh_table_name(),
                                 readers()));
}

// --- a secondary: the emulator serves the same tables at both of its addresses ---------------------------------------

class secondaries : public services {};

std::vector<store_under_test> the_emulator() {
    auto all = stores_under_test();
    std::erase_if(all, [](auto const& s) { return s.name != "azurite_cpprest"; });
    return all;
}
INSTANTIATE_TEST_SUITE_P(, secondaries, ::testing::ValuesIn(the_emulator()),
                         [](auto const& s) { return s.param.name; });

std::string with_secondary(std::string const& place) {
    auto const port = std::to_string(azurite::shared().port());
    return azurite::shared().connection_string() + "TableSecondaryEndpoint=http://127.0.0.1:" + port +
           "/devstoreaccount1-secondary;read_from=" + place;
}

TEST_P(secondaries, statistics_come_from_the_secondary) {
    auto const at = table_service{tablemap::open(with_secondary("primary"))}.statistics();
    EXPECT_EQ(at.status, replication_status::live);
    EXPECT_TRUE(at.last_sync);
}

TEST_P(secondaries, a_secondary_is_read_and_not_written) {
    for (auto const* place : {"secondary", "primary_then_secondary"}) {
        tablemap::table<employee> const t{tablemap::open(with_secondary(place)), table().table()};
        t.upsert_replace(don());
        EXPECT_EQ(t.find("Sales", 212)->value, don());
        EXPECT_EQ(t.modify({"Sales", 212}, [](employee& e) { ++e.age; }).value.age, don().age + 1);
        EXPECT_EQ(ids(t.query(partition("Sales"))), std::vector{212});
    }
}

}  // namespace
}  // namespace tablemap::test
