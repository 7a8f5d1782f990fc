// SPDX-License-Identifier: Apache-2.0
#include "support/listed_samples.hpp"

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {

/// An entity with a long key.
struct listed_word {
    std::string language{};
    std::string word{};
    std::int32_t letters{};
};

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::listed_word> {
    static constexpr auto partition_key = key(part<&test::listed_word::language>);
    static constexpr auto row_key = key("word_", part<&test::listed_word::word>);
};

namespace tablemap::test {
namespace {

using tablemap::testing::fault;
using tablemap::testing::faulty_store;
using tablemap::testing::fixed_clock;

/// A list of two lines is in a blob, and comes back with one line. No blob is too young to be deleted.
index_entity_options small() { return {.row_bytes = 20, .keep_unnamed_blobs = std::chrono::seconds{0}}; }

class index_entities : public ::testing::Test {
protected:
    void SetUp() override { others.create_if_not_exists(); }

    static listed_employee hall(std::int32_t id) { return {.department = "Sales", .id = id, .last_name = "Hall"}; }
    static listed_employee from(std::int32_t id, std::string city) {
        return {.department = "Sales", .id = id, .city = std::move(city)};
    }
    std::string halls() const { return named(others, "Sales", "Hall"); }
    std::size_t blobs() const {
        blob_container const all{inner, others.container()};
        return all.exists() ? all.list().size() : 0;
    }
    table<dynamic_entity> raw(std::string name = "Employees") const { return {inner, std::move(name)}; }
    std::size_t rows() const { return raw().scan().count(); }
    call_options options() { return {.clock = &clock}; }

    template <class V> void spoil(std::string const& row, char const* property, V value) {
        auto e = raw().find("Sales", row).value();
        e.value.set(property, value);
        raw().replace(e);
    }

    store_ptr inner = value_or_throw(open_embedded({.path = ":memory:"}));
    std::shared_ptr<faulty_store> faulty = std::make_shared<faulty_store>(inner);
    listed_table others{inner, "Employees"};
    listed_table employees{faulty, "Employees"};
    listed_table tiny{inner, "Employees", small()};
    fixed_clock clock;
};

// ---- lists in the partition of the entities -------------------------------------------------------------------------

TEST_F(index_entities, find_all_entities_of_a_value_in_a_partition) {
    for (int i : {3, 1, 2}) employees.insert(hall(i));
    employees.insert({.department = "Sales", .id = 4, .last_name = "Halls"});
    employees.insert({.department = "Marketing", .id = 5, .last_name = "Hall"});
    EXPECT_EQ(halls(), "1 2 3");
    EXPECT_EQ(named(employees, "Marketing", "Hall"), "5");
    EXPECT_EQ(named(employees, "Sales", "Nobody"), "");
}

TEST_F(index_entities, return_entities_that_can_be_written_under_their_etags) {
    employees.insert(hall(1));
    auto found = employees.find_all_by<"last_name">(partition("Sales"), "Hall");
    found.at(0).value.last_name = "Hill";
    employees.replace(found[0]);
    EXPECT_EQ(halls(), "");
    EXPECT_EQ(named(employees, "Sales", "Hill"), "1");
    employees.erase(found[0]);
    EXPECT_EQ(rows(), 0u) << "a list without entities stays";
}

TEST_F(index_entities, follow_every_kind_of_write) {
    employees.upsert_replace(hall(1));
    employees.upsert_replace({.department = "Sales", .id = 1, .last_name = "Hill"});
    EXPECT_EQ(halls(), "");
    EXPECT_EQ(named(employees, "Sales", "Hill"), "1");
    employees.modify({"Sales", 1}, [](listed_employee& e) { e.last_name.reset(); });
    EXPECT_EQ(named(employees, "Sales", "Hill"), "");
    employees.modify({"Sales", 1}, [](listed_employee& e) { e.last_name = "Hall"; });
    EXPECT_EQ(halls(), "1");
    EXPECT_EQ(summary_of(employees.verify()), "");
}

TEST_F(index_entities, take_values_with_every_character) {
    for (auto const* name : {"", "a/b\\c#d?e", "x=y", "\t\n", "\xC3\xA9"}) {
        employees.upsert_replace({.department = "Sales", .id = 1, .last_name = name});
        EXPECT_EQ(named(employees, "Sales", name), "1") << name;
    }
    EXPECT_EQ(summary_of(employees.verify()), "");
}

TEST_F(index_entities, take_several_properties_of_their_row) {
    table_with_index_entities<listed_word, index_entity<"letters", &listed_word::letters>> const words{inner, "Words"};
    words.create_if_not_exists();
    std::string many;
    for (int i = 0; i < 200; ++i) many += "\xC3\xA9";
    constexpr int count = 100;
    for (int i = 0; i < count; ++i) words.insert({.language = "fr", .word = std::to_string(i) + many, .letters = 200});
    auto const row = raw("Words").find("fr", "~list_letters=200").value();
    EXPECT_TRUE(row.value.try_get<std::string>("Keys1"));
    EXPECT_FALSE(row.value.try_get<std::string>("Blob"));
    EXPECT_EQ(words.find_all_by<"letters">(partition("fr"), 200).size(), std::size_t{count});
}

TEST_F(index_entities, are_kept_by_writers_at_once) {
    constexpr int writers = 4, each = 10;
    {
        std::vector<std::jthread> all;
        for (int w = 0; w < writers; ++w)
            all.emplace_back([this, w] {
                for (int i = 0; i < each; ++i) others.insert(hall(w * each + i));
            });
    }
    EXPECT_EQ(others.find_all_by<"last_name">(partition("Sales"), "Hall").size(), std::size_t{writers * each});
    EXPECT_EQ(summary_of(others.verify()), "");
}

TEST_F(index_entities, leave_conflicts_of_the_entity_to_the_caller) {
    auto e = employees.insert(hall(1));
    others.modify({"Sales", 1}, [](listed_employee& x) { ++x.visits; });
    EXPECT_EQ(employees.try_insert(hall(1)).error().code(), service_errc::entity_already_exists);
    EXPECT_EQ(employees.try_replace(e).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(employees.try_erase(e).error().code(), service_errc::update_condition_not_satisfied);
    EXPECT_EQ(halls(), "1");
}

TEST_F(index_entities, are_written_again_after_another_writer_of_the_list) {
    others.insert(hall(1));
    faulty->act_before([&](store&) { others.insert(hall(2)); }, 1);
    employees.insert(hall(3), options());
    EXPECT_EQ(halls(), "1 2 3");
    faulty->act_before([&](store&) { others.insert({.department = "Sales", .id = 4, .last_name = "New"}); }, 1);
    employees.insert({.department = "Sales", .id = 5, .last_name = "New"}, options());
    EXPECT_EQ(named(others, "Sales", "New"), "4 5");
}

TEST_F(index_entities, pass_over_entities_that_lost_the_value_by_another_way) {
    employees.insert(hall(1));
    employees.insert(hall(2));
    auto const plain = employees.entities();
    plain.modify({"Sales", 1}, [](listed_employee& e) { e.last_name = "Hill"; });
    EXPECT_EQ(halls(), "2");
    EXPECT_EQ(summary_of(employees.verify()), "stale last_name, missing last_name");
    EXPECT_TRUE(employees.repair().clean());
    EXPECT_EQ(summary_of(employees.verify()), "");
    EXPECT_EQ(named(employees, "Sales", "Hill"), "1");
}

TEST_F(index_entities, keep_an_entity_that_a_repair_is_about_to_remove) {
    auto const e = others.insert(hall(1));
    others.insert(hall(2));
    others.entities().erase(e);
    faulty->act_before([&](store&) { EXPECT_EQ(summary_of(others.repair()), "stale last_name repaired"); }, 1);
    employees.insert(hall(1), options());
    EXPECT_EQ(halls(), "1 2");
}

TEST_F(index_entities, are_written_by_a_repair_only_as_it_read_them) {
    auto const e = others.insert(hall(1));
    others.insert(hall(2));
    others.entities().erase(e);
    std::size_t const requests = [&] {
        static_cast<void>(employees.verify());
        return faulty->requests();
    }();
    for (std::size_t i = 0; i < requests + 3; ++i) {
        faulty->act_before([&](store&) { others.upsert_replace(hall(1)); }, i);
        static_cast<void>(employees.repair(options()));
        EXPECT_EQ(halls(), "1 2") << i;
        others.entities().erase(others.entities().find("Sales", 1).value());
    }
}

TEST_F(index_entities, tell_that_a_write_was_applied_whose_response_was_lost) {
    faulty->fail_next(fault::lost_after, 2);
    EXPECT_TRUE(employees.try_upsert_replace(hall(1), options()));
    EXPECT_EQ(halls(), "1");
    faulty->fail_next(fault::lost_after);
    EXPECT_TRUE(employees.try_insert(from(2, "Oslo"), options())) << "the intent shows it";
}

// ---- blobs ----------------------------------------------------------------------------------------------------------

TEST_F(index_entities, are_stored_in_a_blob_when_they_outgrow_their_row_and_come_back) {
    tiny.insert(hall(1));
    EXPECT_EQ(blobs(), 0u);
    tiny.insert(hall(2));
    EXPECT_EQ(blobs(), 1u);
    tiny.insert(hall(3));
    EXPECT_EQ(blobs(), 1u) << "the old blob is deleted";
    EXPECT_EQ(halls(), "1 2 3");
    for (auto const& e : tiny.find_all_by<"last_name">(partition("Sales"), "Hall")) tiny.erase(e);
    EXPECT_EQ(blobs(), 0u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(index_entities, of_one_entity_are_always_in_their_row) {
    listed_table const none{inner, "Employees", {.row_bytes = 1}};
    none.insert(hall(1));
    EXPECT_EQ(blobs(), 0u);
    none.insert(hall(2));
    EXPECT_EQ(blobs(), 1u);
}

TEST_F(index_entities, stay_in_a_blob_until_they_have_half_of_the_bytes) {
    listed_table const some{inner, "Employees", {.row_bytes = 40}};
    for (int i : {1, 2, 3, 4}) some.insert(hall(i));
    EXPECT_EQ(blobs(), 1u);
    auto const all = some.find_all_by<"last_name">(partition("Sales"), "Hall");
    some.erase(all[0]);
    EXPECT_EQ(blobs(), 1u);
    some.erase(all[1]);
    EXPECT_EQ(blobs(), 1u);
    some.erase(all[2]);
    EXPECT_EQ(blobs(), 0u);
}

TEST_F(index_entities, are_read_again_if_their_blob_is_replaced_meanwhile) {
    for (int i : {1, 2}) tiny.insert(hall(i));
    faulty->act_before([&](store&) { tiny.insert(hall(3)); }, 1);
    EXPECT_EQ(named(employees, "Sales", "Hall"), "1 2 3");
}

TEST_F(index_entities, are_refused_in_a_blob_where_the_options_say_so) {
    listed_table const none{inner, "Employees", {.row_bytes = 20, .blobs = false}};
    listed_table const few{inner, "Employees", {.row_bytes = 20, .list_bytes = 30}};
    none.insert(hall(1));
    auto const r = none.try_insert(hall(2));
    EXPECT_EQ(r.error().code(), library_errc::value_too_large);
    EXPECT_EQ(r.error().member(), "last_name");
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    few.insert(hall(2));
    auto const refused = few.try_insert(hall(3)).error();
    EXPECT_EQ(refused.code(), library_errc::value_too_large);
    EXPECT_EQ(std::string{refused.what()}.find("64 KiB"), std::string::npos) << refused.what();
    EXPECT_NE(std::string{refused.what()}.find("more than 30 bytes"), std::string::npos) << refused.what();
    EXPECT_EQ(halls(), "1 2");
}

TEST_F(index_entities, leave_no_blob_after_a_write_that_was_refused) {
    for (int i : {1, 2}) tiny.insert(hall(i));
    EXPECT_FALSE(tiny.try_insert(hall(2)));
    EXPECT_EQ(blobs(), 1u);
}

TEST_F(index_entities, keep_a_blob_of_a_writer_that_is_at_work_and_delete_an_old_one) {
    for (int i : {1, 2}) tiny.insert(hall(i));
    blob_container const all{inner, tiny.container()};
    auto const left = all.get(all.list().at(0).name).bytes;
    all.put("employees/last_name/left", left, blob_state::absent());
    EXPECT_TRUE(others.repair().findings.empty()) << "it is younger than an hour";
    EXPECT_EQ(blobs(), 2u);
    EXPECT_EQ(summary_of(tiny.verify()), "unnamed blob last_name");
    EXPECT_EQ(summary_of(tiny.repair()), "unnamed blob last_name repaired");
    EXPECT_EQ(blobs(), 1u);
    EXPECT_EQ(halls(), "1 2");
}

TEST_F(index_entities, delete_an_unnamed_blob_of_a_store_whose_clock_is_ahead) {
    auto const early = value_or_throw(
        open_embedded({.path = ":memory:", .now = [] { return ticks::now() + std::chrono::seconds{2}; }}));
    listed_table const lists{early, "Employees", small()};
    lists.create_if_not_exists();
    for (int i : {1, 2}) lists.insert(hall(i));
    blob_container const all{early, lists.container()};
    all.put("employees/last_name/left", all.get(all.list().at(0).name).bytes, blob_state::absent());
    EXPECT_EQ(summary_of(lists.repair()), "unnamed blob last_name repaired");
}

TEST_F(index_entities, refuse_the_write_of_a_writer_whose_blob_was_deleted) {
    for (int i : {1, 2}) tiny.insert(hall(i));
    listed_table const slow{faulty, "Employees", small()};
    faulty->act_before([&](store&) { EXPECT_EQ(summary_of(tiny.repair()), "unnamed blob last_name repaired"); }, 3);
    slow.insert(hall(3), options());
    EXPECT_EQ(halls(), "1 2 3");
    EXPECT_EQ(summary_of(tiny.verify()), "");
}

// ---- lists in another table -----------------------------------------------------------------------------------------

TEST_F(index_entities, in_another_table_follow_when_a_relay_has_worked) {
    employees.insert(from(1, "Oslo"));
    employees.insert({.department = "Marketing", .id = 2, .city = "Oslo"});
    EXPECT_EQ(in_city(employees, "Oslo"), "");
    EXPECT_EQ(summary_of(employees.verify()), "pending city, pending city");
    auto const done = employees.relay(partition("Sales"));
    EXPECT_EQ(done.intents, 1u);
    EXPECT_EQ(in_city(employees, "Oslo"), "1");
    EXPECT_EQ(employees.relay().intents, 1u);
    EXPECT_EQ(in_city(employees, "Oslo"), "2 1") << "in the order of their partitions";
    EXPECT_EQ(rows(), 2u) << "an intent is left";
    EXPECT_EQ(summary_of(employees.verify()), "");
}

TEST_F(index_entities, in_another_table_never_return_what_is_no_longer_true) {
    employees.insert(from(1, "Oslo"));
    employees.relay();
    employees.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Bergen"; });
    EXPECT_EQ(in_city(employees, "Oslo"), "");
    employees.relay();
    EXPECT_EQ(in_city(employees, "Bergen"), "1");
    EXPECT_EQ(raw("ListedByCity").scan().count(), 1u);
    employees.erase(employees.entities().find("Sales", 1).value());
    employees.relay();
    EXPECT_EQ(raw("ListedByCity").scan().count(), 0u);
}

TEST_F(index_entities, in_another_table_outgrow_their_rows_too) {
    for (int i : {1, 2, 3}) tiny.insert(from(i, "Oslo"));
    tiny.relay();
    EXPECT_EQ(blobs(), 1u);
    EXPECT_EQ(in_city(employees, "Oslo"), "1 2 3");
    for (int i : {1, 2, 3}) tiny.erase(tiny.entities().find("Sales", i).value());
    tiny.relay();
    EXPECT_EQ(blobs(), 0u);
}

TEST_F(index_entities, in_another_table_are_right_after_a_relay_that_was_suspended) {
    others.insert(from(1, "Oslo"));
    faulty->act_before(
        [&](store&) {
            others.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Bergen"; });
            others.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Oslo"; });
            EXPECT_EQ(others.relay().failed, 0u);
        },
        3);
    EXPECT_EQ(employees.relay(options()).failed, 0u);
    EXPECT_EQ(in_city(others, "Oslo"), "1");
    EXPECT_EQ(summary_of(others.verify()), "");
}

TEST_F(index_entities, in_another_table_keep_what_a_suspended_relay_is_about_to_remove) {
    for (std::size_t request = 1; request <= 5; ++request) {
        others.upsert_replace(from(1, "Oslo"));
        others.relay();
        others.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Bergen"; });
        faulty->act_before(
            [&](store&) {
                others.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Oslo"; });
                others.relay();
            },
            request);
        EXPECT_EQ(employees.relay(options()).failed, 0u);
        EXPECT_EQ(in_city(others, "Oslo"), "1") << "before request " << request;
    }
}

TEST_F(index_entities, of_a_suspended_relay_that_are_stale_are_found_and_repaired) {
    others.insert(from(1, "Oslo"));
    faulty->act_before(
        [&](store&) {
            others.modify({"Sales", 1}, [](listed_employee& e) { e.city = "Bergen"; });
            others.relay();
        },
        3);
    employees.relay(options());
    EXPECT_EQ(in_city(others, "Oslo"), "");
    EXPECT_EQ(summary_of(others.verify()), "stale city");
    EXPECT_TRUE(others.repair().clean());
    EXPECT_EQ(summary_of(others.verify()), "");
}

TEST_F(index_entities, in_another_table_tell_the_relay_about_rows_that_it_cannot_read) {
    others.insert(from(1, "Oslo"));
    others.insert(from(2, "Oslo"));
    spoil("empid_000001", "city", 1.5);
    auto const done = employees.relay();
    EXPECT_EQ(done.failed, 1u);
    EXPECT_EQ(done.intents, 1u);
    EXPECT_EQ(in_city(others, "Oslo"), "2");
}

TEST_F(index_entities, are_relayed_until_the_deadline) {
    others.insert(from(1, "Oslo"));
    auto const done =
        others.run_relay(std::chrono::minutes{1}, {.deadline = clock.now() + std::chrono::hours{1}, .clock = &clock});
    EXPECT_EQ(done.intents, 1u);
    EXPECT_EQ(in_city(others, "Oslo"), "1");
    EXPECT_EQ(others.try_run_relay(std::chrono::milliseconds{0}, {}).error().code(), library_errc::value_out_of_range);
}

// ---- what others left -----------------------------------------------------------------------------------------------

TEST_F(index_entities, that_are_damaged_are_an_error_until_they_are_repaired) {
    for (auto const spoiled : {"Keys", "Check", "Bytes", "Blob"}) {
        others.upsert_replace(hall(1));
        if (std::string_view{spoiled} == "Keys" || std::string_view{spoiled} == "Blob")
            spoil("~list_last_name=Hall", spoiled, std::string{"elsewhere"});
        else
            spoil("~list_last_name=Hall", spoiled, std::int64_t{1} << 62);
        auto const r = others.try_find_all_by<"last_name">(partition("Sales"), "Hall");
        ASSERT_FALSE(r) << spoiled;
        EXPECT_EQ(r.error().code(), library_errc::malformed_response);
        EXPECT_EQ(r.error().member(), "last_name");
        EXPECT_EQ(others.try_insert(hall(2)).error().outcome(), outcome::not_applied);
        EXPECT_EQ(summary_of(others.repair()), "damaged last_name repaired") << spoiled;
        EXPECT_EQ(halls(), "1");
    }
}

TEST_F(index_entities, that_are_damaged_are_never_found_in_part) {
    for (std::size_t request = 0; request < 12; ++request) {
        for (int i : {1, 2}) others.upsert_replace(hall(i));
        spoil("~list_last_name=Hall", "Check", std::int64_t{1});
        faulty->fail_next(fault::lost_before, request);
        static_cast<void>(employees.try_repair(options()));
        faulty->stop_failing();
        auto const found = others.try_find_all_by<"last_name">(partition("Sales"), "Hall");
        EXPECT_TRUE(!found || ids_of(*found) == "1 2") << "after request " << request;
        EXPECT_TRUE(others.repair().clean());
        EXPECT_EQ(halls(), "1 2");
    }
}

TEST_F(index_entities, that_name_other_rows_are_damaged) {
    others.insert(hall(1));
    spoil("~list_last_name=Hall", "Keys", std::string{"~list_last_name=Hall\n"});
    EXPECT_FALSE(others.try_find_all_by<"last_name">(partition("Sales"), "Hall"));
}

TEST_F(index_entities, whose_blob_is_gone_or_changed_are_damaged) {
    for (int i : {1, 2}) tiny.insert(hall(i));
    blob_container const all{inner, tiny.container()};
    auto const name = all.list().at(0).name;
    all.put(name, "Sales\t~list_last_name=Hall\nempid_000001\nempid_000007\n", blob_state::any());
    EXPECT_FALSE(tiny.try_find_all_by<"last_name">(partition("Sales"), "Hall"));
    all.erase_any(name);
    auto const r = tiny.try_find_all_by<"last_name">(partition("Sales"), "Hall");
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
    EXPECT_TRUE(tiny.repair().clean());
    EXPECT_EQ(halls(), "1 2");
}

TEST_F(index_entities, are_made_by_repair_for_a_table_without_them) {
    auto const plain = others.entities();
    for (int i : {1, 2}) plain.insert({.department = "Sales", .id = i, .last_name = "Hall", .city = "Oslo"});
    EXPECT_EQ(others.verify().count_of(index_entity_fault::missing).found, 4u);
    EXPECT_TRUE(others.repair().clean());
    EXPECT_EQ(halls(), "1 2");
    EXPECT_EQ(in_city(others, "Oslo"), "1 2");
}

TEST_F(index_entities, refuse_options_that_cannot_be_used) {
    EXPECT_THROW((listed_table{inner, "Employees", {.row_bytes = std::size_t{1} << 20}}), error);
    EXPECT_THROW((listed_table{inner, "Employees", {.list_bytes = 10}}), error);
    EXPECT_THROW((listed_table{inner, "Employees", {.container = "No_Container"}}), error);
    EXPECT_THROW((listed_table{inner, "Employees", {.keep_unnamed_blobs = std::chrono::seconds{-1}}}), error);
}

}  // namespace
}  // namespace tablemap::test
