// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include "tablemap/store/service_response.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::testing::contract {
namespace {

class seam_tables : public seam {
protected:
    response create(std::string_view name) { return the_store().execute(create_table{name}, {}); }
    response drop(std::string_view name) { return the_store().execute(delete_table{name}, {}); }

    /// All names, asked for page by page.
    std::vector<std::string> names(std::optional<std::size_t> top = {}) {
        std::vector<std::string> found;
        std::optional<std::string> next;
        do {
            auto r = the_store().execute(list_tables{.from = next ? std::string_view{*next} : "", .top = top}, {});
            EXPECT_TRUE(carried_out(r));
            if (top) {
                EXPECT_LE(r.service->tables.size(), *top);
            }
            found.insert(found.end(), r.service->tables.begin(), r.service->tables.end());
            next = r.service->next_table;
        } while (next);
        return found;
    }
};
TABLEMAP_CONTRACT_SUITE(seam_tables);

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

TEST_P(seam_tables, creating_a_table_twice_is_refused_whatever_the_case) {
    EXPECT_TRUE(refused(create(table().table()), service_errc::table_already_exists));
    EXPECT_TRUE(refused(create(upper(table().table())), service_errc::table_already_exists));
}

TEST_P(seam_tables, a_name_keeps_its_case_and_is_found_by_any_other) {
    TABLEMAP_SKIP_IF(compares_table_names_by_case);
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r"))));
    table_client loud{the_store(), upper(table().table())};
    EXPECT_EQ(entity_in(loud.get("p", "r")).row_key, "r");
    auto const all = names();
    EXPECT_EQ(std::count(all.begin(), all.end(), table().table()), 1);
}

TEST_P(seam_tables, deleting_a_table_deletes_its_entities) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r"))));
    EXPECT_TRUE(carried_out(table().drop()));
    EXPECT_TRUE(refused(table().get("p", "r"), service_errc::table_not_found));
}

TEST_P(seam_tables, a_table_that_is_made_again_is_empty) {
    ASSERT_TRUE(carried_out(table().insert(entity("p", "r"))));
    ASSERT_TRUE(carried_out(table().get("p", "r")));
    ASSERT_TRUE(carried_out(table().drop()));
    ASSERT_TRUE(carried_out(table().create()));
    EXPECT_TRUE(refused(table().get("p", "r"), service_errc::resource_not_found));
    EXPECT_TRUE(carried_out(table().insert(entity("p", "r"))));
    EXPECT_TRUE(carried_out(table().get("p", "r")));
}

TEST_P(seam_tables, deleting_a_missing_table_finds_no_resource) {
    EXPECT_TRUE(refused(drop(fresh_table_name()), service_errc::resource_not_found));
}

TEST_P(seam_tables, entity_operations_on_a_missing_table_find_no_table) {
    table_client missing{the_store(), fresh_table_name()};
    EXPECT_TRUE(refused(missing.insert(entity("p", "r")), service_errc::table_not_found));
    EXPECT_TRUE(refused(missing.get("p", "r"), service_errc::table_not_found));
    EXPECT_TRUE(refused(missing.page({}), service_errc::table_not_found));
    EXPECT_TRUE(refused(missing.erase("p", "r"), service_errc::table_not_found));
    EXPECT_TRUE(refused(missing.write(write_kind::upsert_merge, entity("p", "r")), service_errc::table_not_found));
    if (!has_transactions()) return;
    EXPECT_TRUE(
        refused(missing.transact({operation(write_kind::insert, entity("p", "r"))}), service_errc::table_not_found));
}

TEST_P(seam_tables, names_outside_the_rules_are_refused) {
    for (auto const& name : {std::string{"ab"}, std::string(64, 'a'), std::string{"1abc"}, std::string{"a-bc"},
                             std::string{"a_bc"}, std::string{"tables"}, std::string{"Tables"}, std::string{},
                             std::string{"\xC3\xA4"
                                         "bcd"},
                             std::string{"a'b c"}}) {
        EXPECT_TRUE(refused(create(name), service_errc::invalid_resource_name)) << name;
        EXPECT_TRUE(refused(drop(name), service_errc::invalid_resource_name)) << name;
    }
}

TEST_P(seam_tables, names_of_3_and_of_63_characters_are_taken) {
    auto const longest = (fresh_table_name() + std::string(63, 'z')).substr(0, 63);
    EXPECT_TRUE(carried_out(create(longest)));
    EXPECT_TRUE(carried_out(drop(longest)));
    EXPECT_TRUE(carried_out(create("a1Z")));
    EXPECT_TRUE(carried_out(drop("A1z")));
}

TEST_P(seam_tables, a_list_is_ordered_by_name_and_goes_on_behind_a_page) {
    TABLEMAP_SKIP_IF(compares_table_names_by_case);
    auto const stem = fresh_table_name();
    std::vector<std::string> const made = {stem + "a", stem + "B", stem + "c", stem + "D"};
    for (auto const& name : {made[2], made[0], made[3], made[1]}) ASSERT_TRUE(carried_out(create(name)));
    std::vector<std::string> found;
    for (auto const& name : names(2))
        if (name.starts_with(stem)) found.push_back(name);
    EXPECT_EQ(found, made);
    for (auto const& name : made) EXPECT_TRUE(carried_out(drop(name)));
}

TEST_P(seam_tables, a_list_of_no_or_too_many_names_is_refused) {
    EXPECT_TRUE(refused(the_store().execute(list_tables{.top = 0}, {}), service_errc::out_of_range_input));
    EXPECT_TRUE(refused(the_store().execute(list_tables{.top = 1001}, {}), service_errc::out_of_range_input));
}

TEST_P(seam_tables, a_list_refuses_a_continuation_that_it_did_not_give) {
    TABLEMAP_SKIP_IF(accepts_any_continuation);
    EXPECT_TRUE(refused(the_store().execute(list_tables{.from = "nonsense"}, {}), library_errc::invalid_cursor));
}

}  // namespace

void link_tables() {}

}  // namespace tablemap::testing::contract
