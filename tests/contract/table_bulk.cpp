// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/bulk_checks.hpp"

#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <map>

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;

class table_bulk : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (shared_store()) items_.emplace(shared_store(), table().table());
    }

    tablemap::table<bulk_item>& items() { return *items_; }
    tablemap::table<bulk_item> items_on(store_ptr s, table_options o = {}) {
        return {std::move(s), table().table(), o};
    }

private:
    std::optional<tablemap::table<bulk_item>> items_;
};
TABLEMAP_ON_EVERY_STORE(table_bulk);

TEST_P(table_bulk, inserts_rows_of_many_partitions) {
    random_source random;
    auto const rows = mixed_items(1'000, 7, random);
    auto const report = items().insert_many(rows);
    EXPECT_TRUE(report.complete());
    EXPECT_LE(report.totals.requests, 14u);
    expect_ledger_tells(report, rows, items());
}

TEST_P(table_bulk, tells_which_rows_were_there_before) {
    random_source random;
    auto const rows = mixed_items(300, 3, random);
    for (auto const at : {7, 77, 177}) items().insert(rows[static_cast<std::size_t>(at)]);
    auto const report = items().insert_many(rows);
    EXPECT_EQ(report.totals.stored, 297u);
    std::vector<std::size_t> failed;
    for (auto const& p : report.problems) {
        EXPECT_EQ(p.error.code(), service_errc::entity_already_exists);
        EXPECT_EQ(p.key, (entity_key{rows[p.position].partition, "i_" + rows[p.position].row}));
        failed.push_back(p.position);
    }
    std::sort(failed.begin(), failed.end());
    EXPECT_EQ(failed, (std::vector<std::size_t>{7, 77, 177}));
}

TEST_P(table_bulk, takes_writes_of_every_kind) {
    bulk_writer before{items()};
    for (auto const* row : {"replaced", "merged", "erased", "read", "upserted"}) before.insert({"p", row, 1});
    EXPECT_TRUE(before.finish().complete());
    auto read = *items().find("p", "read");
    read.value.value = 5;

    bulk_writer writer{items()};
    writer.insert({"p", "new", 2});
    writer.upsert_replace({"p", "upserted", 2});
    writer.upsert_merge({"p", "also new", 2});
    writer.replace_any({"p", "replaced", 2});
    writer.merge_any({"p", "merged", 2}, only<&bulk_item::value>);
    writer.erase_any({"p", "erased"});
    writer.replace(read);
    EXPECT_TRUE(writer.finish().complete());

    std::map<std::string, int> values;
    for (auto const& e : items().query(partition("p"))) values[e.value.row] = e.value.value;
    EXPECT_EQ(values, (std::map<std::string, int>{
                          {"new", 2}, {"upserted", 2}, {"also new", 2}, {"replaced", 2}, {"merged", 2}, {"read", 5}}));
}

TEST_P(table_bulk, writes_one_entity_in_the_order_of_the_calls) {
    bulk_writer writer{items()};
    for (int i = 0; i < 250; ++i) writer.upsert_replace({"p", std::to_string(i % 40), i});
    EXPECT_TRUE(writer.finish().complete());
    for (auto const& e : items().query(partition("p"))) {
        auto const row = std::stoi(e.value.row);
        EXPECT_EQ(e.value.value, row < 10 ? 240 + row : 200 + row);
    }
}

TEST_P(table_bulk, cuts_groups_at_the_stores_bytes) {
    bulk_writer writer{tablemap::table<dynamic_entity>{shared_store(), table().table()}};
    dynamic_entity big;
    big.partition_key = "p";
    for (int i = 0; i < 12; ++i) big.set("Text" + std::to_string(i), std::string(30'000, 'x'));
    for (int i = 0; i < 25; ++i) {
        big.row_key = std::to_string(i);
        writer.insert(big);
    }
    auto const report = writer.finish();
    EXPECT_TRUE(report.complete()) << (report.problems.empty() ? "" : report.problems.front().error.what());
    EXPECT_LE(report.totals.requests, 4u) << "some 9 MB in groups of up to 4 MiB";
}

TEST_P(table_bulk, erases_what_a_query_finds) {
    random_source random;
    auto const rows = mixed_items(600, 4, random);
    EXPECT_TRUE(items().insert_many(rows).complete());
    auto const report = items().erase_where(items().scan(field<&bulk_item::value> < 500));
    EXPECT_TRUE(report.complete());
    EXPECT_EQ(report.erased(), 500u);
    EXPECT_EQ(items().scan().count(), 100u);
}

TEST_P(table_bulk, an_absent_table_ends_the_write) {
    tablemap::table<bulk_item> const none{shared_store(), fresh_table_name()};
    random_source random;
    auto const report = none.insert_many(mixed_items(500, 2, random));
    ASSERT_TRUE(report.ended_by);
    EXPECT_EQ(report.ended_by->code(), service_errc::table_not_found);
    EXPECT_EQ(report.totals.stored, 0u);
    EXPECT_EQ(none.erase_where(none.scan()).ended_by->code(), service_errc::table_not_found);
}

TEST_P(table_bulk, upserts_are_all_stored_despite_faults) {
    random_source random;
    auto const rows = mixed_items(5'000, 100, random);
    auto const shaky = std::make_shared<faulty_store>(shared_store());
    shaky->fail_randomly(0.05, random.word());
    tablemap::testing::fixed_clock clock;
    auto const report = items_on(shaky).upsert_many(rows, {}, {.retry = retry_policy::exponential(8), .clock = &clock});
    EXPECT_TRUE(report.complete());
    expect_ledger_tells(report, rows, items());
}

TEST_P(table_bulk, inserts_with_tokens_are_all_stored_despite_faults) {
    random_source random;
    auto const rows = mixed_items(5'000, 100, random);
    auto const shaky = std::make_shared<faulty_store>(shared_store());
    shaky->fail_randomly(0.05, random.word());
    tablemap::testing::fixed_clock clock;
    auto policy = retry_policy::exponential(8);
    policy.repeat_in_doubt = true;  // nobody else erases
    auto const report =
        items_on(shaky, {.operation_ids = true}).insert_many(rows, {}, {.retry = policy, .clock = &clock});
    EXPECT_TRUE(report.complete());
    expect_ledger_tells(report, rows, items());
}

TEST_P(table_bulk, the_ledger_tells_what_inserts_without_tokens_became) {
    random_source random;
    auto const rows = mixed_items(2'000, 40, random);
    auto const shaky = std::make_shared<faulty_store>(shared_store());
    shaky->fail_randomly(0.05, random.word());
    auto const report = items_on(shaky).insert_many(rows, {}, {.retry = retry_policy::none()});
    EXPECT_EQ(report.ledger.count(row_state::not_sent), 0u);
    expect_ledger_tells(report, rows, items());
}

}  // namespace
}  // namespace tablemap::test
