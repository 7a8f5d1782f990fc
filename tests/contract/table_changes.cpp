// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include <variant>

namespace tablemap::test {
namespace {

struct visits {
    std::string page{};
    std::int64_t count{};
    std::optional<std::string> last{};

    friend bool operator==(visits const&, visits const&) = default;
};

}  // namespace
}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::visits> {
    static constexpr auto partition_key = key("counters");
    static constexpr auto row_key = key("visits_", part<&test::visits::page>);
};

namespace tablemap::test {
namespace {

class table_changes : public employees_test {
protected:
    tablemap::table<visits> counters(table_options o = {}) { return {shared_store(), table().table(), o}; }
    tablemap::table<dynamic_entity> rows() { return {shared_store(), table().table()}; }

    /// An employee of whom the struct does not know everything.
    tablemap::entity<employee> insert_with_badge() {
        auto row = entity("Sales", "empid_000212", {{"first_name", "Don"}, {"age", 34}, {"email", "d"}, {"badge", 7}});
        EXPECT_TRUE(carried_out(table().insert(row)));
        return *employees().find("Sales", 212);
    }
    dynamic_entity stored() { return entity_in(table().get("Sales", "empid_000212")); }
};
TABLEMAP_ON_EVERY_STORE(table_changes);

// ---- merge of what changed ------------------------------------------------------------------------------------------

TEST_P(table_changes, merge_of_changes_sends_only_them) {
    auto e = employees().insert(don());
    e.value.first_name = "not sent";
    auto const before = e;
    e.value.age = 35;
    EXPECT_TRUE(employees().merge(e, changed_since(before)));
    auto const found = employees().find("Sales", 212);
    EXPECT_EQ(found->value.age, 35);
    EXPECT_EQ(found->value.first_name, "Don");
    EXPECT_EQ(found->etag, e.etag);
}

TEST_P(table_changes, merge_of_no_changes_sends_nothing_and_keeps_the_etag) {
    auto e = employees().insert(don());
    auto const tag = e.etag;
    EXPECT_FALSE(employees().merge(e, changed_since(don())));
    EXPECT_EQ(e.etag, tag);
    EXPECT_EQ(employees().find("Sales", 212)->etag, tag);
}

TEST_P(table_changes, merge_of_changes_is_conditional) {
    auto first = employees().insert(don());
    auto second = first;
    second.value.age = 40;
    employees().replace(first);
    EXPECT_TRUE(failed_as(employees().try_merge(second, changed_since(first)), error_kind::precondition_failed));
    second.etag = {};
    EXPECT_TRUE(failed_with(employees().try_merge(second, changed_since(first)), library_errc::missing_etag));
}

TEST_P(table_changes, merge_of_changes_refuses_what_a_merge_cannot_do) {
    auto e = employees().insert(don());
    auto const before = e;
    e.value.email.reset();
    auto const r = employees().try_merge(e, changed_since(before));
    EXPECT_TRUE(failed_with(r, library_errc::merge_cannot_remove));
    EXPECT_EQ(r.error().member(), "email");
    e.value.id = 213;
    EXPECT_TRUE(failed_with(employees().try_merge(e, changed_since(before)), library_errc::key_changed));
    EXPECT_EQ(employees().find("Sales", 212)->etag, before.etag);
}

TEST_P(table_changes, of_a_row_of_any_type_are_merged) {
    insert_with_badge();
    auto e = *rows().find("Sales", "empid_000212");
    auto const before = e.value;
    e.value.set("age", std::int32_t{35});
    e.value.set("floor", "3");
    EXPECT_TRUE(rows().merge(e, changed_since(before)));
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 35);
    EXPECT_EQ(*stored().try_get<std::string>("floor"), "3");
    EXPECT_EQ(*stored().try_get<std::int32_t>("badge"), 7);
}

// ---- modify ---------------------------------------------------------------------------------------------------------

TEST_P(table_changes, modify_keeps_columns_that_the_struct_does_not_know) {
    insert_with_badge();
    auto const e = employees().modify({"Sales", 212}, [](employee& x) { ++x.age; });
    EXPECT_EQ(*stored().try_get<std::int32_t>("badge"), 7);
    EXPECT_EQ(*stored().try_get<std::int32_t>("age"), 35);
    EXPECT_EQ(employees().find("Sales", 212)->etag, e.etag);
}

TEST_P(table_changes, modify_removes_what_was_emptied_and_keeps_what_it_does_not_know) {
    insert_with_badge();
    employees().modify({"Sales", 212}, [](employee& x) { ++x.age, x.email.reset(); });
    EXPECT_FALSE(stored().find("email"));
    EXPECT_EQ(*stored().try_get<std::int32_t>("badge"), 7);
    EXPECT_EQ(*stored().try_get<std::int32_t>("age"), 35);
}

TEST_P(table_changes, modify_that_changes_nothing_writes_nothing_and_returns_what_it_read) {
    auto const read = insert_with_badge();
    auto const e = employees().modify({"Sales", 212}, [](employee&) {});
    EXPECT_EQ(e.value, read.value);
    EXPECT_EQ(e.etag, read.etag);
    EXPECT_EQ(e.timestamp, read.timestamp);
    EXPECT_EQ(employees().find("Sales", 212)->etag, read.etag);
}

TEST_P(table_changes, modify_marks_what_it_writes_with_a_new_operation_token) {
    auto const t = counters({.operation_ids = true});
    auto const token = [&] {
        return *entity_in(table().get("counters", "visits_home")).try_get<guid>("TablemapOperation");
    };
    t.insert({.page = "home", .last = "Don"});
    auto const first = token();
    t.modify({"home"}, [](visits& v) { ++v.count; });
    auto const second = token();
    t.modify({"home"}, [](visits& v) { v.last.reset(); });
    EXPECT_EQ((std::set<guid>{first, second, token()}.size()), 3u);
    t.modify({"home"}, [](visits&) {});
    EXPECT_EQ(t.find("home")->value, (visits{.page = "home", .count = 1}));
}

TEST_P(table_changes, modify_without_tokens_leaves_the_token_of_another_writer) {
    counters({.operation_ids = true}).insert({.page = "home", .last = "Don"});
    counters().modify({"home"}, [](visits& v) { ++v.count, v.last.reset(); });
    EXPECT_TRUE(entity_in(table().get("counters", "visits_home")).find("TablemapOperation"));
}

TEST_P(table_changes, modify_gives_up_after_as_many_conflicts_as_it_may_meet) {
    employees().insert(don());
    int calls = 0;
    auto const r =
        employees().try_modify({"Sales", 212},
                               [&](employee& e) {
                                   employees().upsert_replace({.department = "Sales", .id = 212, .age = 100 * ++calls});
                                   ++e.age;
                               },
                               {.attempts = 3, .first_wait = std::chrono::milliseconds{0}});
    EXPECT_TRUE(failed_with(r, library_errc::too_many_conflicts));
    EXPECT_EQ(r.error().outcome(), outcome::not_applied);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 300);
}

TEST_P(table_changes, modify_takes_options_of_the_call_alone_or_behind_its_own) {
    employees().insert(don());
    call_options const late{.deadline = within(std::chrono::seconds{-1})};
    auto const older = [](employee& e) { ++e.age; };
    EXPECT_TRUE(failed_with(employees().try_modify({"Sales", 212}, older, late), library_errc::deadline_exceeded));
    EXPECT_TRUE(failed_with(employees().try_modify({"Sales", 212}, older, {.attempts = 3}, late),
                            library_errc::deadline_exceeded));
    EXPECT_TRUE(employees().try_modify({"Sales", 212}, older, {.deadline = within(std::chrono::minutes{1})}));
}

TEST_P(table_changes, modify_of_a_row_of_any_type_changes_and_removes_properties) {
    insert_with_badge();
    rows().modify({"Sales", "empid_000212"}, [](dynamic_entity& e) { e.set("age", std::int32_t{50}); });
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 50);
    rows().modify({"Sales", "empid_000212"}, [](dynamic_entity& e) { e.erase("badge"); });
    EXPECT_FALSE(stored().find("badge"));
    EXPECT_EQ(*stored().try_get<std::string>("email"), "d");
}

TEST_P(table_changes, modify_refuses_the_key_of_another_row_of_any_type) {
    insert_with_badge();
    auto const r = rows().try_modify({"Sales", "empid_000212"}, [](dynamic_entity& e) { e.row_key = "empid_000213"; });
    EXPECT_TRUE(failed_with(r, library_errc::key_changed));
}

// ---- modify or insert -----------------------------------------------------------------------------------------------

TEST_P(table_changes, modify_or_insert_inserts_the_changed_initial_value_where_there_is_none) {
    auto const hit = [](visits& v) { ++v.count; };
    auto const first = counters().modify_or_insert({.page = "home"}, hit);
    EXPECT_EQ(first.value.count, 1);
    EXPECT_EQ(counters().find("home")->etag, first.etag);
    EXPECT_EQ(counters().modify_or_insert({.page = "home"}, hit).value.count, 2);
    EXPECT_EQ(counters().find("home")->value.count, 2);
}

TEST_P(table_changes, modify_or_insert_changes_what_someone_inserted_meanwhile) {
    int calls = 0;
    auto const e = counters().modify_or_insert({.page = "home"}, [&](visits& v) {
        if (++calls == 1) counters().insert({.page = "home", .count = 10});
        ++v.count;
    });
    EXPECT_EQ(e.value.count, 11);
    EXPECT_EQ(calls, 2);
}

TEST_P(table_changes, modify_or_insert_inserts_again_what_someone_erased_meanwhile) {
    counters().insert({.page = "home", .count = 10});
    auto const e = counters().modify_or_insert({.page = "home"}, [&](visits& v) {
        counters().erase_any({"home"});
        ++v.count;
    });
    EXPECT_EQ(e.value.count, 1);
    EXPECT_EQ(counters().find("home")->value.count, 1);
}

TEST_P(table_changes, modify_or_insert_refuses_a_change_of_the_key_and_what_cannot_be_stored) {
    auto const moved = counters().try_modify_or_insert({.page = "home"}, [](visits& v) { v.page = "other"; });
    EXPECT_TRUE(failed_with(moved, library_errc::key_changed));
    auto const garbled = counters().try_modify_or_insert({.page = "home"}, [](visits& v) { v.last = "\xFF"; });
    EXPECT_TRUE(failed_with(garbled, library_errc::invalid_text));
    EXPECT_FALSE(counters().find("home"));
}

}  // namespace
}  // namespace tablemap::test
