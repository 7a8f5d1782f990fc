// SPDX-License-Identifier: Apache-2.0
#include "support/listed_samples.hpp"

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tablemap::test {

/// Another type of the same table.
struct listed_office {
    std::string department{};
    std::int32_t id{};
    std::string street{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::listed_office> {
    static constexpr auto partition_key = key(part<&test::listed_office::department>);
    static constexpr auto row_key = key("office_", part<&test::listed_office::id>);
};

/// Lost and late requests, programs with other options or declarations, and rows that no program of ours wrote.
namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// Carries out writes of entities, and answers with something that is no response.
class babbling_store final : public store {
public:
    explicit babbling_store(store_ptr inner) : inner_(std::move(inner)) {}

    tablemap::capabilities const& capabilities() const noexcept override { return inner_->capabilities(); }
    store_context const& context() const noexcept override { return inner_->context(); }
    response execute(request const& r, call_options const& o) override {
        auto answer = inner_->execute(r, o);
        if (!std::holds_alternative<write_entity>(r)) return answer;
        return tablemap::testing::response_failure(library_errc::malformed_response, outcome::in_doubt);
    }

private:
    store_ptr inner_;
};

class index_entities_in_adversity : public ::testing::Test {
protected:
    void SetUp() override { others.create_if_not_exists(); }

    static listed_employee hall(std::int32_t id) { return {.department = "Sales", .id = id, .last_name = "Hall"}; }
    static listed_employee from(std::int32_t id, std::string city) {
        return {.department = "Sales", .id = id, .city = std::move(city)};
    }
    static void to_bergen(listed_employee& e) { e.city = "Bergen"; }
    std::string halls() const { return named(others, "Sales", "Hall"); }
    table<dynamic_entity> raw() const { return {inner, "Employees"}; }
    call_options options() { return {.clock = &clock}; }
    void erase_first() const { others.erase(others.entities().find("Sales", 1).value()); }

    void put_into_intents(std::string const& values) const {
        auto const all = raw();
        for (auto& e : all.query(partition("Sales"))) {
            if (!e.value.row_key.starts_with("~list-intent_")) continue;
            e.value.set("Values", values);
            all.replace(e);
        }
    }

    store_ptr inner = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(inner);
    listed_table others{inner, "Employees"};
    listed_table employees{faulty, "Employees"};
    listed_table tiny{inner, "Employees", {.row_bytes = 20}};  ///< two lines are in a blob
    fixed_clock clock;
};

// ---- lost responses -------------------------------------------------------------------------------------------------

TEST_F(index_entities_in_adversity, are_not_written_again_when_others_erased_what_was_written) {
    faulty->fail_next(fault::lost_after, 1);
    faulty->act_before([&](store&) { erase_first(); }, 2);
    auto const r = employees.try_insert(hall(1), options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(raw().scan().count(), 0u);
}

TEST_F(index_entities_in_adversity, elsewhere_are_not_written_again_when_others_erased_what_was_written) {
    faulty->fail_next(fault::lost_after);
    faulty->act_before(
        [&](store&) {
            others.relay();
            erase_first();
        },
        1);
    auto const r = employees.try_insert(from(1, "Oslo"), options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_FALSE(others.entities().find("Sales", 1));
}

TEST_F(index_entities_in_adversity, are_not_written_again_in_place_of_a_write_that_is_late) {
    others.insert(hall(1));
    faulty->set_overtaking(2);
    faulty->fail_next(fault::overtaken, 3);
    faulty->act_before([&](store&) { others.insert({.department = "Sales", .id = 2, .last_name = "Hill"}); }, 4);
    faulty->act_before([&](store&) { others.erase(others.entities().find("Sales", 2).value()); }, 5);
    auto const change = [](listed_employee& e) { e.last_name = "Hill", ++e.visits; };
    auto const r = employees.try_modify({"Sales", 1}, change, options());
    faulty->carry_out_overtaken();
    auto const e = others.entities().find("Sales", 1).value();
    EXPECT_EQ(e.value.visits, 1);
    if (!r) {
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    }
    EXPECT_EQ(summary_of(others.verify()), "");
}

// ---- intents --------------------------------------------------------------------------------------------------------

TEST_F(index_entities_in_adversity, of_known_names_are_relayed_although_an_older_intent_has_an_unknown_one) {
    table_with_index_entities<listed_employee, index_entity_in<"city", "ListedByCity", &listed_employee::city>,
                              index_entity_in<"country", "ListedByCountry", &listed_employee::last_name>> const older{
        inner, "Employees"};
    older.create_if_not_exists();
    auto e = from(1, "Oslo");
    e.last_name = "NO";
    older.insert(e);
    others.modify({"Sales", 1}, &to_bergen);
    auto const done = others.relay();
    EXPECT_EQ(done.failed, 1u);
    EXPECT_EQ(done.intents, 1u);
    EXPECT_EQ(in_city(others, "Bergen"), "1");
    EXPECT_EQ(older.relay().failed, 0u);
    EXPECT_EQ(others.relay().intents, 0u);
}

TEST_F(index_entities_in_adversity, are_repaired_although_an_intent_of_something_else_is_pending) {
    others.insert(from(1, "Oslo"));
    for (std::string const values : {"other=x\n", ""}) {
        put_into_intents(values);
        EXPECT_EQ(summary_of(others.verify()), "missing city");
    }
    EXPECT_EQ(summary_of(others.repair()), "missing city repaired");
    EXPECT_EQ(in_city(others, "Oslo"), "1");
}

TEST_F(index_entities_in_adversity, of_another_type_are_left_to_its_relay) {
    table_with_index_entities<listed_office, index_entity_in<"street", "ListedByStreet", &listed_office::street>> const
        offices{inner, "Employees"};
    offices.create_if_not_exists();
    others.insert(from(1, "Oslo"));
    auto const done = offices.relay();
    EXPECT_EQ(done.intents, 0u);
    EXPECT_EQ(done.failed, 0u);
    EXPECT_EQ(others.relay().intents, 1u);
}

// ---- lists that are too large ---------------------------------------------------------------------------------------

TEST_F(index_entities_in_adversity, that_are_full_do_not_keep_others_from_being_repaired) {
    listed_table const few{inner, "Employees", {.row_bytes = 20, .list_bytes = 30}};
    for (int i : {1, 2, 3}) others.entities().insert(hall(i));
    others.entities().insert({.department = "Sales", .id = 4, .last_name = "Zorn"});
    auto const r = few.try_repair();
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(summary_of(*r),
              "missing last_name repaired, missing last_name repaired, missing last_name, missing last_name repaired");
    EXPECT_FALSE(r->clean());
    EXPECT_EQ(named(others, "Sales", "Zorn"), "4");
}

TEST_F(index_entities_in_adversity, that_cannot_be_made_anew_do_not_keep_others_from_being_repaired) {
    listed_table const few{inner, "Employees", {.row_bytes = 20, .list_bytes = 30}};
    for (int i : {1, 2, 3, 4, 5, 6, 7, 8}) others.insert(hall(i));
    others.insert({.department = "Sales", .id = 9, .last_name = "Lund"});
    auto list = raw().find("Sales", "~list_last_name=Lund").value();
    list.value.set("Check", std::int64_t{1});
    raw().replace(list);
    auto const r = few.try_repair();
    ASSERT_TRUE(r) << r.error().what();
    EXPECT_EQ(summary_of(*r), "damaged last_name, damaged last_name repaired");
    EXPECT_EQ(named(others, "Sales", "Lund"), "9");
    EXPECT_EQ(halls(), "1 2 3 4 5 6 7 8") << "it is as it was";
}

TEST_F(index_entities_in_adversity, elsewhere_that_are_full_do_not_keep_others_from_being_relayed) {
    listed_table const few{inner, "Employees", {.row_bytes = 20, .list_bytes = 40}};
    for (int i : {1, 2}) few.insert(from(i, "Alta"));
    few.insert(from(3, "Oslo"));
    EXPECT_EQ(few.relay().failed, 0u);
    few.modify({"Sales", 3}, [](listed_employee& e) { e.city = "Alta"; });
    EXPECT_EQ(few.relay().failed, 1u);
    EXPECT_FALSE((table<dynamic_entity>{inner, "ListedByCity"}.find("city=Oslo", "list_employees")));
}

TEST_F(index_entities_in_adversity, elsewhere_do_not_follow_an_intent_that_no_write_has_stored) {
    others.insert(from(1, "Oslo"));
    put_into_intents("city=Bergen\ncity=Oslo\ncity=Rome\n");
    auto const done = others.relay();
    EXPECT_EQ(done.failed, 1u);
    EXPECT_EQ(done.lists, 0u);
}

// ---- responses that are none ----------------------------------------------------------------------------------------

TEST_F(index_entities_in_adversity, that_were_made_anew_are_in_doubt_after_a_strange_response) {
    for (int i : {1, 2}) others.insert(hall(i));
    auto list = raw().find("Sales", "~list_last_name=Hall").value();
    list.value.set("Check", std::int64_t{1});
    raw().replace(list);
    auto const r = listed_table{std::make_shared<babbling_store>(inner), "Employees"}.try_repair(options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(halls(), "1 2");
}

TEST_F(index_entities_in_adversity, that_were_settled_are_in_doubt_after_strange_responses) {
    others.entities().insert(hall(1));
    auto const r = listed_table{std::make_shared<babbling_store>(inner), "Employees"}.try_repair(options());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
    EXPECT_EQ(halls(), "1");
}

// ---- blobs ----------------------------------------------------------------------------------------------------------

TEST_F(index_entities_in_adversity, count_a_blob_as_repaired_only_if_it_is_gone) {
    listed_table const by_faulty{faulty, "Employees", {.row_bytes = 20, .keep_unnamed_blobs = std::chrono::seconds{0}}};
    tiny.insert(hall(1));
    tiny.insert(hall(2));
    blob_container const all{inner, tiny.container()};
    auto const left = all.get(all.list().at(0).name).bytes;
    for (std::size_t k = 0; k < 30; ++k) {
        all.put("employees/last_name/left", left, blob_state::any());
        faulty->fail_next(fault::busy, k);
        auto const r = by_faulty.try_repair({.retry = retry_policy::none()});
        faulty->stop_failing();
        if (!r) continue;  // the call ended early
        bool const repaired = !r->findings.empty() && r->findings.front().repaired;
        EXPECT_EQ(repaired, !all.try_get("employees/last_name/left")) << "request " << k;
    }
}

}  // namespace
}  // namespace tablemap::test
