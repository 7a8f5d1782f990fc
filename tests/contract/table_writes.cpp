// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

namespace tablemap::test {
namespace {

class table_writes : public employees_test {};
TABLEMAP_ON_EVERY_STORE(table_writes);

TEST_P(table_writes, an_inserted_entity_is_found_with_the_etag_that_insert_gave) {
    auto const stored = employees().insert(don());
    auto const found = employees().find("Sales", 212);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->value, don());
    EXPECT_EQ(found->etag, stored.etag);
    EXPECT_TRUE(found->timestamp.storable());
}

TEST_P(table_writes, an_absent_entity_is_nothing) { EXPECT_FALSE(employees().find("Sales", 1)); }

TEST_P(table_writes, a_key_is_the_only_place_of_the_members_in_it) {
    employees().insert(don());
    auto const row = entity_in(table().get("Sales", "empid_000212"));
    EXPECT_EQ(row.find("department"), nullptr);
    EXPECT_EQ(row.find("id"), nullptr);
    EXPECT_NE(row.find("first_name"), nullptr);
}

TEST_P(table_writes, inserting_twice_is_refused_and_changes_nothing) {
    employees().insert(don());
    auto other = don();
    other.age = 99;
    auto const r = employees().try_insert(other);
    EXPECT_TRUE(failed_as(r, error_kind::already_exists));
    EXPECT_EQ(r.error().table(), employees().name());
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 34);
}

TEST_P(table_writes, a_refused_insert_throws_what_try_insert_returns) {
    employees().insert(don());
    try {
        employees().insert(don());
        FAIL() << "the second insert was taken";
    } catch (error const& e) {
        EXPECT_EQ(e.code(), service_errc::entity_already_exists);
        EXPECT_EQ(e.outcome(), outcome::not_applied);
    }
}

TEST_P(table_writes, replace_refreshes_the_etag_so_that_it_can_be_repeated) {
    auto e = employees().insert(don());
    e.value.age = 35;
    employees().replace(e);
    e.value.age = 36;
    employees().replace(e);
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 36);
    EXPECT_EQ(employees().find("Sales", 212)->etag, e.etag);
}

TEST_P(table_writes, replace_removes_what_became_empty) {
    auto e = employees().insert(don());
    e.value.email.reset();
    employees().replace(e);
    EXPECT_EQ(employees().find("Sales", 212)->value.email, std::nullopt);
}

TEST_P(table_writes, the_slower_of_two_writers_is_refused) {
    auto first = employees().insert(don());
    auto second = first;
    employees().replace(first);
    EXPECT_TRUE(failed_as(employees().try_replace(second), error_kind::precondition_failed));
    EXPECT_TRUE(failed_as(employees().try_merge(second), error_kind::precondition_failed));
    EXPECT_TRUE(failed_as(employees().try_merge(second, only<&employee::age>), error_kind::precondition_failed));
    EXPECT_TRUE(failed_as(employees().try_erase(second), error_kind::precondition_failed));
    EXPECT_EQ(employees().find("Sales", 212)->etag, first.etag);
}

TEST_P(table_writes, a_failed_write_leaves_the_etag_as_it_was) {
    auto first = employees().insert(don());
    auto second = first;
    employees().replace(first);
    auto const before = second.etag;
    EXPECT_FALSE(employees().try_replace(second));
    EXPECT_EQ(second.etag, before);
}

TEST_P(table_writes, merge_of_chosen_members_sends_only_them) {
    auto e = employees().insert(don());
    e.value.age = 35;
    e.value.first_name = "not sent";
    employees().merge(e, only<&employee::age>);
    auto const found = employees().find("Sales", 212);
    EXPECT_EQ(found->value.age, 35);
    EXPECT_EQ(found->value.first_name, "Don");
    EXPECT_EQ(found->etag, e.etag);
}

TEST_P(table_writes, merge_keeps_properties_that_the_struct_does_not_know) {
    auto row = entity("Sales", "empid_000212", {{"first_name", "Don"}, {"age", 34}, {"email", "d"}, {"badge", 7}});
    ASSERT_TRUE(carried_out(table().insert(row)));
    auto e = *employees().find("Sales", 212);
    e.value.age = 35;
    employees().merge(e);
    auto const stored = entity_in(table().get("Sales", "empid_000212"));
    EXPECT_EQ(*stored.try_get<std::int32_t>("badge"), 7);
    EXPECT_EQ(*stored.try_get<std::int32_t>("age"), 35);
}

TEST_P(table_writes, merge_of_an_empty_member_is_refused_with_its_name) {
    auto e = employees().insert(don());
    e.value.email.reset();
    auto const r = employees().try_merge(e);
    EXPECT_TRUE(failed_with(r, library_errc::merge_cannot_remove));
    EXPECT_EQ(r.error().member(), "email");
    EXPECT_TRUE(failed_with(employees().try_merge(e, only<&employee::email>), library_errc::merge_cannot_remove));
}

TEST_P(table_writes, conditional_writes_need_an_entity_that_was_read) {
    tablemap::entity<employee> made{.value = don()};
    EXPECT_TRUE(failed_with(employees().try_replace(made), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(employees().try_merge(made), library_errc::missing_etag));
    EXPECT_TRUE(failed_with(employees().try_erase(made), library_errc::missing_etag));
    EXPECT_FALSE(employees().find("Sales", 212));
}

TEST_P(table_writes, writes_of_an_entity_that_is_gone_find_nothing) {
    auto e = employees().insert(don());
    employees().erase(e);
    EXPECT_FALSE(employees().find("Sales", 212));
    EXPECT_TRUE(failed_as(employees().try_erase(e), error_kind::not_found));
    EXPECT_TRUE(failed_as(employees().try_replace(e), error_kind::not_found));
    EXPECT_TRUE(failed_as(employees().try_merge(e), error_kind::not_found));
    EXPECT_TRUE(failed_as(employees().try_replace_any(don()), error_kind::not_found));
    EXPECT_TRUE(failed_as(employees().try_merge_any(don(), only<&employee::age>), error_kind::not_found));
}

TEST_P(table_writes, unconditional_writes_take_any_version) {
    auto const old = employees().insert(don());
    auto changed = don();
    changed.age = 40;
    EXPECT_NE(employees().replace_any(changed).etag, old.etag);
    changed.age = 41;
    employees().merge_any(changed, only<&employee::age>);
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 41);
    EXPECT_TRUE(employees().erase_any({"Sales", 212}));
    EXPECT_FALSE(employees().erase_any({"Sales", 212}));
}

TEST_P(table_writes, upserts_store_whether_or_not_the_entity_exists) {
    auto e = don();
    employees().upsert_replace(e);
    e.email.reset();
    employees().upsert_replace(e);
    EXPECT_EQ(employees().find("Sales", 212)->value.email, std::nullopt);
    e.id = 213;
    auto const tag = employees().upsert_merge(e);
    EXPECT_EQ(employees().find("Sales", 213)->etag, tag);
}

TEST_P(table_writes, upsert_merge_leaves_what_is_not_sent) {
    employees().insert(don());
    auto e = don();
    e.email.reset();
    e.age = 50;
    employees().upsert_merge(e);
    EXPECT_EQ(employees().find("Sales", 212)->value.email, don().email);
    e.first_name = "not sent";
    employees().upsert_merge(e, only<&employee::age>);
    EXPECT_EQ(employees().find("Sales", 212)->value.first_name, "Don");
}

TEST_P(table_writes, modify_applies_a_change_to_the_newest_version) {
    employees().insert(don());
    auto const stored = employees().modify({"Sales", 212}, [](employee& e) { ++e.age; });
    EXPECT_EQ(stored.value.age, 35);
    EXPECT_EQ(employees().find("Sales", 212)->etag, stored.etag);
}

TEST_P(table_writes, modify_goes_on_after_a_writer_that_was_faster) {
    employees().insert(don());
    int calls = 0;
    employees().modify({"Sales", 212}, [&](employee& e) {
        if (++calls < 3)
            employees().upsert_replace({.department = "Sales", .id = 212, .first_name = "Don", .age = 100 * calls});
        ++e.age;
    });
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(employees().find("Sales", 212)->value.age, 201);
}

TEST_P(table_writes, modify_of_an_absent_entity_finds_nothing) {
    auto const r = employees().try_modify({"Sales", 1}, [](employee&) { FAIL(); });
    EXPECT_TRUE(failed_as(r, error_kind::not_found));
}

TEST_P(table_writes, modify_refuses_a_change_of_the_key) {
    employees().insert(don());
    auto const r = employees().try_modify({"Sales", 212}, [](employee& e) { e.id = 213; });
    EXPECT_TRUE(failed_with(r, library_errc::key_changed));
    EXPECT_FALSE(employees().find("Sales", 213));
}

TEST_P(table_writes, what_the_function_of_modify_throws_reaches_the_caller_and_nothing_is_written) {
    auto const stored = employees().insert(don());
    EXPECT_THROW(employees().modify({"Sales", 212}, [](employee&) { throw std::domain_error{"no"}; }),
                 std::domain_error);
    EXPECT_EQ(employees().find("Sales", 212)->etag, stored.etag);
}

TEST_P(table_writes, a_key_that_cannot_be_made_names_its_member_and_sends_nothing) {
    auto slashed = don();
    slashed.department = "Sales/West";
    auto const r = employees().try_insert(slashed);
    EXPECT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_EQ(r.error().member(), "department");
    auto wide = don();
    wide.id = 1'000'000;
    EXPECT_TRUE(failed_with(employees().try_insert(wide), library_errc::key_part_does_not_fit));
    EXPECT_TRUE(failed_with(employees().try_find({"Sales", -1}), library_errc::key_part_does_not_fit));
}

TEST_P(table_writes, an_operation_token_is_a_property_of_the_row_and_invisible_to_the_struct) {
    tablemap::table<employee> with_tokens{shared_store(), table().table(), {.operation_ids = true}};
    with_tokens.insert(don());
    auto const row = entity_in(table().get("Sales", "empid_000212"));
    EXPECT_NE(row.try_get<guid>("TablemapOperation"), nullptr);
    EXPECT_EQ(with_tokens.find("Sales", 212)->value, don());
    with_tokens.modify({"Sales", 212}, [](employee& e) { ++e.age; });
    auto const after = entity_in(table().get("Sales", "empid_000212"));
    EXPECT_NE(*after.try_get<guid>("TablemapOperation"), *row.try_get<guid>("TablemapOperation"));
}

TEST_P(table_writes, a_table_is_created_and_deleted_once) {
    tablemap::table<employee> fresh{shared_store(), fresh_table_name()};
    EXPECT_FALSE(fresh.delete_if_exists());
    EXPECT_TRUE(failed_with(fresh.try_insert(don()), service_errc::table_not_found));
    EXPECT_TRUE(fresh.create_if_not_exists());
    EXPECT_FALSE(fresh.create_if_not_exists());
    EXPECT_TRUE(failed_as(fresh.try_create(), error_kind::already_exists));
    fresh.delete_table();
    EXPECT_TRUE(failed_as(fresh.try_delete_table(), error_kind::not_found));
}

}  // namespace
}  // namespace tablemap::test
