// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/outbox_samples.hpp"

#include "tablemap/queue/queue.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class outbox_contract : public seam {
protected:
    void SetUp() override {
        seam::SetUp();
        if (!shared_store()) return;
        people_.emplace(shared_store(), table().table());
    }

    tablemap::table<staff> const& people() { return *people_; }
    staff_outbox box(std::string queue = {}) { return staff_outbox{people(), {.queue = std::move(queue)}}; }
    outbox_receipt hire(staff_outbox const& to, std::int32_t id, std::int32_t version = 1) {
        auto t = people().transaction();
        t.upsert_replace(staff{"Bonn", id, "Don"});
        return to.commit(t, archive_staff{id, version});
    }
    std::vector<std::string> rows() {
        std::vector<std::string> keys;
        for (auto const& e : tablemap::table<dynamic_entity>{shared_store(), table().table()}.scan())
            keys.push_back(e.value.row_key);
        return as_given(std::move(keys));
    }

    /// A queue of a name that no other case uses; nothing for a store without queues.
    std::optional<std::string> fresh_queue() {
        static int count = 0;
        auto name = "outbox-" + std::to_string(++count) + "-" + std::to_string(ticks::now().count() % 1'000'000'000);
        if (!tablemap::queue{shared_store(), name}.try_create()) return std::nullopt;
        return name;
    }

    noted_effects noted;

private:
    std::optional<tablemap::table<staff>> people_;
};

TEST_P(outbox_contract, stores_changes_with_effects_that_a_relay_applies) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    for (std::int32_t v = 1; v <= 3; ++v) EXPECT_EQ(hire(box(), 1, v).first_sequence, v);
    auto const done = noted.relay_of(box()).run_once(partition("Bonn"));
    EXPECT_EQ(done.end, pass_end::drained);
    EXPECT_THAT(noted.calls, ElementsAre("1 archive 1 v1", "2 archive 1 v2", "3 archive 1 v3"));
    EXPECT_THAT(rows(), ElementsAre("staff_000001", "~outbox_head"));
}

TEST_P(outbox_contract, lets_handlers_use_the_store) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    tablemap::table<archived> const archive{shared_store(), table().table()};
    relay const r{box(), on<archive_staff>([&](archive_staff const& e) {
                      archive.upsert_replace({.name = "Don", .id = e.id, .version = e.version});
                  }),
                  on<greet_staff>([](greet_staff const&) {})};
    for (std::int32_t v = 1; v <= 3; ++v) hire(box(), 1, v);
    EXPECT_EQ(r.run_once(partition("Bonn")).applied, 3U);
    EXPECT_EQ(archive.find(1)->value.version, 3);
}

TEST_P(outbox_contract, returns_etags_that_are_the_entities) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto t = people().transaction();
    tablemap::entity<staff> don{staff{"Bonn", 1, "Don"}};
    t.insert(don);
    auto const done = box().commit(t, archive_staff{1, 1});
    ASSERT_THAT(done.etags, SizeIs(1));
    EXPECT_EQ(done.etags[0], don.etag);
    EXPECT_EQ(people().find("Bonn", 1)->etag, don.etag);
}

TEST_P(outbox_contract, leaves_conflicts_of_the_change_to_the_writer) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    people().insert({"Bonn", 1, "Jun"});
    auto t = people().transaction();
    t.insert(staff{"Bonn", 1, "Don"});
    EXPECT_TRUE(failed_with(box().try_commit(t, archive_staff{1, 1}), service_errc::entity_already_exists));
    EXPECT_THAT(rows(), ElementsAre("staff_000001"));
}

TEST_P(outbox_contract, is_invisible_to_tables_of_types) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    hire(box(), 1);
    tablemap::table<std::variant<staff, workplace>> const both{shared_store(), table().table()};
    EXPECT_EQ(people().scan().count(), 1U);
    EXPECT_EQ(both.query(partition("Bonn")).count(), 1U);
    EXPECT_EQ(both.erase_where(both.query(partition("Bonn"))).totals.stored, 1U);
    EXPECT_THAT(rows(), SizeIs(2));
}

TEST_P(outbox_contract, parks_effects_and_puts_them_back) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    noted.failing_id = 1;
    noted.failures_left = 1;
    for (std::int32_t v = 1; v <= 3; ++v) hire(box(), 1, v);
    hire(box(), 2);
    EXPECT_EQ(noted.relay_of(box(), {.attempts = 1}).run_once(partition("Bonn")).parked, 3U);
    EXPECT_EQ(noted.relay_of(box()).put_back(partition("Bonn")), 3U);
    EXPECT_EQ(noted.relay_of(box()).run_once(partition("Bonn")).applied, 3U);
    EXPECT_THAT(noted.calls, ElementsAre("4 archive 2 v1", "1 archive 1 v1", "2 archive 1 v2", "3 archive 1 v3"));
    EXPECT_THAT(rows(), ElementsAre("staff_000001", "staff_000002", "~outbox_head"));
}

TEST_P(outbox_contract, sweeps_all_partitions) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    for (auto const* const office : {"Bonn", "Rome", "Oslo"}) {
        auto t = people().transaction();
        t.insert(staff{office, 1, "Don"});
        box().commit(t, archive_staff{1, 1});
    }
    auto const relay = noted.relay_of(box());
    EXPECT_EQ(relay.sweep().applied, 3U);
    EXPECT_EQ(relay.sweep().passes, 0U);
}

TEST_P(outbox_contract, works_on_the_partitions_of_messages) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const name = fresh_queue();
    if (!name) GTEST_SKIP() << "this store has no queues";
    auto const relay = noted.relay_of(box(*name), {.idle_wait = 10ms, .longest_idle_wait = 10ms});
    for (std::int32_t id = 1; id <= 3; ++id) EXPECT_FALSE(hire(box(*name), id).not_queued);
    EXPECT_EQ(relay.run({.deadline = within(1s)}).applied, 3U);
    EXPECT_EQ(tablemap::queue(shared_store(), *name).approximate_count(), 0U);
}

TEST_P(outbox_contract, puts_reasons_and_strange_messages_into_the_poison_queue) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const name = fresh_queue();
    if (!name) GTEST_SKIP() << "this store has no queues";
    tablemap::queue{shared_store(), *name}.put("no message of an outbox");
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(box(*name), 1);
    auto const done = noted.relay_of(box(*name), {.attempts = 1, .idle_wait = 10ms, .foreign_dequeues = 1})
                          .run({.deadline = within(1s)});
    EXPECT_EQ(done.parked, 1U);
    std::string texts;
    for (auto const& m : tablemap::queue(shared_store(), *name + "-poison").get(32, 30s)) texts += m.text;
    EXPECT_THAT(texts, HasSubstr("no message of an outbox"));
    EXPECT_THAT(texts, HasSubstr("no archive for 1"));
    EXPECT_EQ(tablemap::queue(shared_store(), *name).approximate_count(), 0U);
}

TEST_P(outbox_contract, puts_back_what_the_poison_queue_names) {
    TABLEMAP_SKIP_WITHOUT_TRANSACTIONS();
    auto const name = fresh_queue();
    if (!name) GTEST_SKIP() << "this store has no queues";
    noted.failing_id = 1;
    noted.failures_left = 1;
    hire(box(*name), 1);
    EXPECT_EQ(noted.relay_of(box(*name), {.attempts = 1}).run_once(partition("Bonn")).parked, 1U);
    tablemap::queue const poison{shared_store(), *name + "-poison"};
    poison.put("strange");
    auto const done = noted.relay_of(box(*name)).put_back();
    EXPECT_EQ(done.effects, 1U);
    EXPECT_EQ(done.messages_left, 1U);
    EXPECT_THAT(poison.peek(32), SizeIs(1));
    EXPECT_EQ(noted.relay_of(box(*name)).run_once(partition("Bonn")).applied, 1U);
}

TABLEMAP_ON_EVERY_STORE(outbox_contract);

}  // namespace
}  // namespace tablemap::test
