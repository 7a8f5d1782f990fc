// SPDX-License-Identifier: Apache-2.0
#include "support/bulk_checks.hpp"
#include "support/indexed_samples.hpp"
#include "support/operations.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"

#include <future>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

constexpr std::size_t most_rows = 100'000;
constexpr std::size_t partitions = 500;
constexpr double share_of_faults = 0.05;

/// A table whose store meets one request in twenty with a fault.
class bulk_faults : public ::testing::Test {
protected:
    bulk_faults() {
        value_or_throw(calm().try_create());
        shaky->fail_randomly(share_of_faults, random.word());
        call.clock = &clock;
        call.retry = exact_retry(8);
    }

    table<bulk_item> calm() { return {memory, "Items"}; }
    void print(bulk_report const& r) const {
        std::cout << r.totals.rows << " rows, " << r.totals.requests << " requests, " << shaky->faults()
                  << " faults: " << r.totals.stored << " stored, " << r.totals.failed << " failed, "
                  << r.totals.in_doubt << " in doubt\n";
    }

    random_source random;
    std::vector<bulk_item> rows = mixed_items(most_rows, partitions, random);
    store_ptr memory = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> shaky = std::make_shared<faulty_store>(memory);
    tablemap::testing::fixed_clock clock;
    call_options call;
};

TEST_F(bulk_faults, upserts_are_all_stored) {
    auto const report = table<bulk_item>{shaky, "Items"}.upsert_many(rows, {.buffered_rows = 50'000}, call);
    print(report);
    EXPECT_TRUE(report.complete());
    EXPECT_GT(shaky->faults(), 10u);
    expect_ledger_tells(report, rows, calm());
}

TEST_F(bulk_faults, inserts_with_tokens_that_may_be_repeated_are_all_stored) {
    call.retry->repeat_in_doubt = true;
    auto const report = table<bulk_item>{shaky, "Items", {.operation_ids = true}}.insert_many(rows, {}, call);
    print(report);
    EXPECT_TRUE(report.complete());
    expect_ledger_tells(report, rows, calm());
}

TEST_F(bulk_faults, inserts_without_tokens_are_stored_or_in_doubt) {
    auto const report = table<bulk_item>{shaky, "Items"}.insert_many(rows, {}, call);
    print(report);
    EXPECT_EQ(report.totals.stored + report.totals.in_doubt, rows.size());
    expect_ledger_tells(report, rows, calm());
}

TEST_F(bulk_faults, rows_that_were_there_fail_and_the_others_do_not) {
    rows.resize(10'000);
    for (std::size_t i = 0; i < rows.size(); i += 50) calm().insert({rows[i].partition, rows[i].row, -1});
    auto const report = table<bulk_item>{shaky, "Items"}.insert_many(rows, {.problems_kept = rows.size()}, call);
    print(report);
    for (auto const& p : report.problems)
        EXPECT_TRUE(p.state == row_state::in_doubt || p.position % 50 == 0) << p.error.what();
    EXPECT_GE(report.totals.failed + report.totals.in_doubt, 200u);
    EXPECT_EQ(report.totals.stored + report.totals.failed + report.totals.in_doubt, rows.size());
}

TEST_F(bulk_faults, an_interrupted_write_is_resumed_by_its_ledger) {
    rows.resize(20'000);
    table<bulk_item> const items{shaky, "Items"};
    std::optional<std::string> ledger;
    for (int round = 0; round < 100; ++round) {
        std::stop_source stop;
        call.stop = stop.get_token();
        bulk_options options{.progress = [&](bulk_progress const& p) {
            if (p.stored >= p.stored_before + 3'000) stop.request_stop();
        }};
        if (ledger) options.resume = value_or_throw(bulk_ledger::parse(*ledger));
        auto const report = items.upsert_many(rows, options, call);
        ledger = report.ledger.text();
        if (!report.complete()) continue;
        EXPECT_GE(round, 4);
        return expect_ledger_tells(report, rows, calm());
    }
    FAIL() << "it never came to its end";
}

TEST_F(bulk_faults, two_writers_of_the_same_entities_leave_their_indexes_in_step) {
    table<worker> const steady{memory, "Workers"};
    steady.create();
    auto const write = [&](std::int32_t writer) {
        std::vector<worker> all;
        for (std::int32_t i = 0; i < 900; ++i) {
            auto const name = std::to_string(i) + "@" + std::to_string(writer);
            all.push_back({"D" + std::to_string(i % 3), i, name, name, writer, 1, true});
        }
        tablemap::testing::fixed_clock own;
        return table<worker>{shaky, "Workers"}.upsert_many(all, {}, {.retry = exact_retry(8), .clock = &own});
    };
    shaky->fail_randomly(share_of_faults, random.word());
    auto other = std::async(std::launch::async, write, 1);
    for (auto const& report : {write(2), other.get()}) {
        print(report);
        EXPECT_EQ(report.totals.stored + report.totals.in_doubt, 900u);
    }
    EXPECT_TRUE(steady.verify_indexes().in_step());
}

}  // namespace
}  // namespace tablemap::test
