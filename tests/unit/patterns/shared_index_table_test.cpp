// SPDX-License-Identifier: Apache-2.0
#include "support/elsewhere_samples.hpp"
#include "support/mortal_store.hpp"

#include "tablemap/detail/write/index_intent.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/store/observer.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace tablemap::test {

/// Of another type, with the table and the row keys of the clerks' index.
struct freelancer {
    std::string office{};
    std::int32_t id{};
    std::string email{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::freelancer> {
    static constexpr auto partition_key = key(part<&test::freelancer::office>);
    static constexpr auto row_key = key("freelancer_", part<&test::freelancer::id>.width(6));
    static constexpr auto indexes =
        tablemap::indexes(index_in<"by_email", "ClerksByEmail">(key(part<&test::freelancer::email>), key("by_email")));
};

/// Intents beside rows in a table that holds the indexes of several tables of entities.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

class keeping_what_is_left final : public observer {
public:
    void index_pass_done(index_event const& e) override { left = e.left; }
    std::size_t left = 0;
};

class shared_index_table : public ::testing::Test {
protected:
    using action = std::function<void()>;

    void SetUp() override {
        clerks.create();
        rows.create();
    }

    static clerk ann() { return {"Bonn", 1, "Ann", "a@x", 11}; }
    clerks_by_email by_email() const { return clerks_by_email{clerks}; }
    std::size_t count_found() const { return by_email().find_all(partition("a@x")).size(); }

    /// Inserts a clerk and relays it once for each request of the relay, with something else before that request.
    void relay_with_each_request_after(action const& act) {
        for (std::size_t k = 0, requests = 1; k < requests; ++k) {
            clerks.insert(ann());
            auto const faulty = std::make_shared<faulty_store>(store);
            faulty->act_before([&](class store&) { act(); }, k);
            index_relay<clerk>{table<clerk>{faulty, "Clerks"}}.run_once(partition("Bonn"));
            requests = faulty->requests();
            EXPECT_EQ(count_found(), 1U) << "request " << k;
            clerks.erase_any("Bonn", 1);
            relay.sweep();
        }
    }

    /// Leaves a row that nothing implies, and an intent beside it.
    dynamic_entity insert_orphan(std::string const& table_of_entity) const {
        dynamic_entity row{"z@x", row_key};
        row.set("office", std::string{"Bonn"});
        row.set("id", std::int32_t{1});
        rows.insert(row);
        dynamic_entity intent{"z@x", "~index_0_1"};
        intent.set("Entity", std::string{"clerk_000001"});
        intent.set("EntityTable", table_of_entity);
        intent.set("EntityPartition", std::string{"Bonn"});
        intent.set("Table0", std::string{table_by_email});
        intent.set("Partition0", std::string{"z@x"});
        intent.set("Row0", row_key);
        return intent;
    }
    std::size_t left_by_sweep() const {
        static_cast<void>(relay.try_sweep());
        return seen->left;
    }

    std::string const row_key = "by_email_Bonn !_clerk_000001";
    std::shared_ptr<keeping_what_is_left> seen = std::make_shared<keeping_what_is_left>();
    store_ptr store = with_observer(value_or_throw(open_embedded({.path = ":memory:"})), seen);
    table<clerk> clerks{store, "Clerks"};
    table<dynamic_entity> rows{store, table_by_email};
    index_relay<clerk> relay{clerks};
    fixed_clock clock;
};

// ---- of several tables of entities ----------------------------------------------------------------------------------

TEST_F(shared_index_table, keeps_the_rows_of_one_table_from_the_relays_of_another_one) {
    table<clerk> const others{store, "OtherClerks"};
    others.create();
    relay_with_each_request_after([&] { index_relay{others}.sweep(); });
}

TEST_F(shared_index_table, keeps_the_rows_of_one_type_from_the_relays_of_another_one) {
    table<freelancer> const others{store, "Freelancers"};
    others.create();
    relay_with_each_request_after([&] { index_relay{others}.sweep(); });
}

TEST_F(shared_index_table, may_hold_entities_whose_relays_pass_over_the_rows_of_other_tables) {
    table<clerk> const others{store, table_by_email};
    relay_with_each_request_after([&] { index_relay{others}.sweep(); });
}

TEST_F(shared_index_table, is_swept_by_a_relay_that_writes_the_name_of_the_table_of_entities_otherwise) {
    rows.insert(insert_orphan("CLERKS"));
    table<clerk> const named_otherwise{store, "clerks"};
    EXPECT_EQ(index_relay{named_otherwise}.sweep().erased, 1U);
    EXPECT_EQ(rows.scan().count(), 0U);
}

// ---- strange intents ------------------------------------------------------------------------------------------------

TEST_F(shared_index_table, is_swept_although_it_is_not_there) {
    rows.delete_table();
    clerks.insert({"Bonn", 1, "Ann", std::nullopt, 11});
    EXPECT_EQ(relay.sweep().left, 0U);
}

TEST_F(shared_index_table, holds_intents_of_other_tables_that_do_not_count) {
    rows.insert(insert_orphan("OtherClerks"));
    EXPECT_EQ(left_by_sweep(), 0U);
    EXPECT_EQ(rows.scan().count(), 2U);
}

TEST_F(shared_index_table, holds_intents_that_cannot_be_read_and_are_counted) {
    auto intent = insert_orphan("Clerks");
    intent.set("EntityPartition", std::int32_t{1});
    rows.insert(intent);
    auto const swept = relay.try_sweep();
    ASSERT_FALSE(swept);
    EXPECT_EQ(swept.error().code(), library_errc::type_mismatch);
    EXPECT_EQ(left_by_sweep(), 1U);
}

TEST_F(shared_index_table, holds_intents_of_unknown_indexes_that_are_counted) {
    auto intent = insert_orphan("Clerks");
    intent.set("Row0", std::string{"by_city_Bonn !_clerk_000001"});
    rows.insert(intent);
    EXPECT_EQ(relay.sweep().left, 1U);
}

TEST_F(shared_index_table, holds_intents_that_do_not_lie_beside_their_row_and_are_counted) {
    auto intent = insert_orphan("Clerks");
    intent.partition_key = "y@x";
    rows.insert(intent);
    auto const done = relay.sweep();
    EXPECT_EQ(done.left, 1U);
    EXPECT_EQ(done.erased, 0U);
}

// ---- audits ---------------------------------------------------------------------------------------------------------

TEST_F(shared_index_table, has_rows_that_an_intent_beside_them_leaves_to_a_sweep_unless_they_are_repaired) {
    auto intent = insert_orphan("Clerks");
    intent.row_key = detail::intents_of("clerk_000001") + "1";
    rows.insert(intent);
    auto const found = relay.verify();
    EXPECT_EQ(found.unsettled, 1U);
    EXPECT_EQ(found.found(), 0U);
    auto const done = relay.rebuild();
    EXPECT_EQ(done.unsettled, 0U);
    EXPECT_EQ(done.repaired, 1U);
    EXPECT_EQ(relay.sweep().intents, 1U);
    EXPECT_EQ(rows.scan().count(), 0U);
}

TEST_F(shared_index_table, has_rows_that_an_intent_of_another_table_leaves_to_nobody) {
    auto intent = insert_orphan("OtherClerks");
    intent.row_key = detail::intents_of("clerk_000001") + "1";
    rows.insert(intent);
    EXPECT_EQ(relay.verify().orphaned, 1U);
}

// ---- intents that were stored twice ---------------------------------------------------------------------------------

/// A relay that repeats the insert of a row, whose first try arrives late.
class index_row_inserted_twice : public shared_index_table {
protected:
    static constexpr std::size_t number_of_insert = 3;

    std::shared_ptr<faulty_store> late_insert() const {
        auto made = std::make_shared<faulty_store>(store);
        made->set_overtaking(1'000);
        made->fail_next(fault::overtaken, number_of_insert);
        return made;
    }
    call_options repeating() {
        auto policy = retry_policy::exponential();
        policy.repeat_in_doubt = true;
        return {.retry = policy, .clock = &clock};
    }
    void relay_on(store_ptr s) {
        static_cast<void>(index_relay{table<clerk>{std::move(s), "Clerks"}}.try_sweep(repeating()));
    }

    /// The entity is erased and its row too, and then the first try arrives.
    void end_entity(faulty_store& late) {
        static_cast<void>(clerks.try_erase_any({"Bonn", 1}));
        relay.sweep();
        late.carry_out_overtaken();
        ended = true;
        arrived = arrived || rows.find("a@x", row_key).has_value();
    }
    void expect_in_step(std::size_t k) {
        relay.sweep();
        EXPECT_EQ(rows.scan().count(), 0U) << "request " << k;
    }

    bool ended = false;    ///< since the relay began
    bool arrived = false;  ///< at least once
};

TEST_F(index_row_inserted_twice, is_not_left_by_the_relay_that_inserted_it) {
    for (std::size_t k = number_of_insert + 1;; ++k) {
        clerks.insert(ann());
        auto const late = late_insert();
        late->act_before([&](class store&) { end_entity(*late); }, k);
        relay_on(late);
        if (!std::exchange(ended, false)) break;
        expect_in_step(k);
    }
    EXPECT_TRUE(arrived);
}

TEST_F(index_row_inserted_twice, is_not_left_by_a_sweep_that_began_before) {
    for (std::size_t k = 0;; ++k) {
        clerks.insert(ann());
        auto const late = late_insert();
        auto const until_second_try = number_of_insert + 2;
        EXPECT_THROW(relay_on(std::make_shared<mortal_store>(late, until_second_try, false)), killed);
        auto const sweeping = std::make_shared<faulty_store>(store);
        sweeping->act_before([&](class store&) { end_entity(*late); }, k);
        relay_on(sweeping);
        if (!std::exchange(ended, false)) break;
        expect_in_step(k);
    }
    EXPECT_TRUE(arrived);
}

}  // namespace
}  // namespace tablemap::test
