// SPDX-License-Identifier: Apache-2.0
#include "testing/contract/fixture.hpp"
#include "testing/contract/suites.hpp"

#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::testing::contract {
namespace {

using p = table_permission;

ticks at(char const* text) { return *ticks::parse(text); }

access_policy policy(std::string id) {
    return {.id = std::move(id),
            .start = at("2026-01-01T00:00:00Z"),
            .expiry = at("2027-01-01T00:00:00.1234567Z"),
            .permissions = p::query | p::erase};
}

cors_rule rule() {
    return {.allowed_origins = {"https://contoso.com", "https://fabrikam.com"},
            .allowed_methods = {"GET", "PUT"},
            .allowed_headers = {"x-ms-meta-*"},
            .exposed_headers = {"x-ms-date"},
            .max_age = std::chrono::seconds{300}};
}

class seam_service : public seam {
protected:
    response set(std::vector<access_policy> const& policies) {
        return the_store().execute(set_access_policies{table().table(), policies}, {});
    }
    std::vector<access_policy> policies() {
        auto const r = the_store().execute(get_access_policies{table().table()}, {});
        EXPECT_TRUE(carried_out(r));
        return r.ok() ? r.service->policies : std::vector<access_policy>{};
    }
    response set(service_properties const& properties) {
        return the_store().execute(set_service_properties{&properties}, {});
    }
    service_properties properties() {
        auto const r = the_store().execute(get_service_properties{}, {});
        EXPECT_TRUE(carried_out(r));
        return r.ok() ? r.service->properties : service_properties{};
    }
};
TABLEMAP_CONTRACT_SUITE(seam_service);

// --- optional features -----------------------------------------------------------------------------------------------

TEST_P(seam_service, access_policies_are_there_or_unsupported) {
    auto const got = the_store().execute(get_access_policies{table().table()}, {});
    if (!deviates(deviation::no_access_policies)) {
        EXPECT_TRUE(carried_out(got));
        return;
    }
    EXPECT_TRUE(refused(got, library_errc::unsupported));
    EXPECT_TRUE(refused(set({policy("a")}), library_errc::unsupported));
}

TEST_P(seam_service, service_properties_are_there_or_unsupported) {
    auto const got = the_store().execute(get_service_properties{}, {});
    if (!deviates(deviation::no_service_properties)) {
        EXPECT_TRUE(carried_out(got));
        return;
    }
    EXPECT_TRUE(refused(got, library_errc::unsupported));
    EXPECT_TRUE(refused(set({.hour_metrics = metrics_settings{}}), library_errc::unsupported));
}

// --- access policies -------------------------------------------------------------------------------------------------

TEST_P(seam_service, a_new_table_has_no_policies) {
    TABLEMAP_SKIP_IF(no_access_policies);
    EXPECT_TRUE(policies().empty());
}

TEST_P(seam_service, policies_come_back_as_they_were_set) {
    TABLEMAP_SKIP_IF(no_access_policies);
    std::vector<access_policy> const five{policy("e"), policy("d"), policy("<&>'\""), policy("\xC3\xA4 b"),
                                          policy(std::string(64, 'a'))};
    ASSERT_TRUE(carried_out(set(five)));
    EXPECT_EQ(policies(), five);
}

TEST_P(seam_service, policies_may_leave_terms_to_the_signature) {
    TABLEMAP_SKIP_IF(no_access_policies);
    TABLEMAP_SKIP_IF(requires_every_term_of_policy);
    std::vector<access_policy> const some{{.id = "a"}, {.id = "b", .expiry = at("2027-01-01T00:00:00Z")}};
    ASSERT_TRUE(carried_out(set(some)));
    EXPECT_EQ(policies(), some);
}

TEST_P(seam_service, setting_policies_replaces_all_of_them) {
    TABLEMAP_SKIP_IF(no_access_policies);
    ASSERT_TRUE(carried_out(set({policy("a"), policy("b")})));
    ASSERT_TRUE(carried_out(set({policy("c")})));
    EXPECT_EQ(policies(), std::vector{policy("c")});
    ASSERT_TRUE(carried_out(set(std::vector<access_policy>{})));
    EXPECT_TRUE(policies().empty());
}

TEST_P(seam_service, policies_go_with_their_table) {
    TABLEMAP_SKIP_IF(no_access_policies);
    ASSERT_TRUE(carried_out(set({policy("a")})));
    ASSERT_TRUE(carried_out(table().drop()));
    ASSERT_TRUE(carried_out(table().create()));
    EXPECT_TRUE(policies().empty());
}

TEST_P(seam_service, policies_of_a_missing_table_find_no_table) {
    TABLEMAP_SKIP_IF(no_access_policies);
    auto const missing = fresh_table_name();
    EXPECT_TRUE(refused(the_store().execute(get_access_policies{missing}, {}), service_errc::table_not_found));
    EXPECT_TRUE(refused(the_store().execute(set_access_policies{missing, {}}, {}), service_errc::table_not_found));
}

TEST_P(seam_service, policies_beyond_the_limits_are_refused_and_change_nothing) {
    TABLEMAP_SKIP_IF(no_access_policies);
    ASSERT_TRUE(carried_out(set({policy("kept")})));
    EXPECT_TRUE(refused(set({policy("a"), policy("b"), policy("c"), policy("d"), policy("e"), policy("f")}),
                        service_errc::out_of_range_input));
    EXPECT_TRUE(refused(set({policy(std::string(65, 'a'))}), service_errc::out_of_range_input));
    EXPECT_TRUE(refused(set({policy("a"), policy("a")}), service_errc::invalid_input));
    EXPECT_EQ(policies(), std::vector{policy("kept")});
}

// --- properties ------------------------------------------------------------------------------------------------------

TEST_P(seam_service, properties_come_back_as_they_were_set) {
    TABLEMAP_SKIP_IF(no_service_properties);
    service_properties const all{.logging = {{.deletes = true, .reads = false, .writes = true, .retention_days = 7}},
                                 .hour_metrics = {{.enabled = true, .include_apis = true, .retention_days = 30}},
                                 .minute_metrics = {{.enabled = true}},
                                 .cors = {{rule(), rule()}}};
    ASSERT_TRUE(carried_out(set(all)));
    EXPECT_EQ(properties(), all);
}

TEST_P(seam_service, properties_that_are_left_out_stay) {
    TABLEMAP_SKIP_IF(no_service_properties);
    ASSERT_TRUE(
        carried_out(set({.logging = {{.reads = true}}, .hour_metrics = metrics_settings{}, .cors = {{rule()}}})));
    auto expected = properties();
    expected.hour_metrics = {.enabled = true, .retention_days = 3};
    ASSERT_TRUE(carried_out(set({.hour_metrics = expected.hour_metrics})));
    EXPECT_EQ(properties(), expected);
}

TEST_P(seam_service, an_empty_list_of_rules_removes_them) {
    TABLEMAP_SKIP_IF(no_service_properties);
    ASSERT_TRUE(carried_out(set({.cors = {{rule()}}})));
    ASSERT_EQ(properties().cors->size(), 1u);
    ASSERT_TRUE(carried_out(set({.cors = std::vector<cors_rule>{}})));
    EXPECT_TRUE(properties().cors->empty());
}

TEST_P(seam_service, a_rule_may_name_no_headers) {
    TABLEMAP_SKIP_IF(no_service_properties);
    TABLEMAP_SKIP_IF(requires_cors_headers);
    std::vector<cors_rule> const rules{{.allowed_origins = {"*"}, .allowed_methods = {"GET"}}};
    ASSERT_TRUE(carried_out(set({.cors = rules})));
    EXPECT_EQ(properties().cors, rules);
}

TEST_P(seam_service, properties_beyond_the_limits_are_refused) {
    TABLEMAP_SKIP_IF(no_service_properties);
    EXPECT_TRUE(refused(set({.cors = std::vector<cors_rule>(6, rule())}), service_errc::out_of_range_input));
    EXPECT_TRUE(refused(set({.logging = {{.retention_days = 366}}}), service_errc::out_of_range_input));
}

// --- lists -----------------------------------------------------------------------------------------------------------

TEST_P(seam_service, tables_are_listed_by_the_beginning_of_their_names) {
    auto const stem = fresh_table_name();
    std::vector<std::string> const made = {stem + "a1", stem + "a2", stem + "az", stem + "b1"};
    for (auto const& name : made) ASSERT_TRUE(carried_out(the_store().execute(create_table{name}, {})));
    std::vector<std::string> found;
    std::string prefix = stem + "a";
    std::optional<std::string> next;
    do {
        auto const r = the_store().execute(
            list_tables{.from = next ? std::string_view{*next} : std::string_view{}, .top = 2, .prefix = prefix}, {});
        ASSERT_TRUE(carried_out(r));
        found.insert(found.end(), r.service->tables.begin(), r.service->tables.end());
        next = r.service->next_table;
    } while (next);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (std::vector<std::string>{made[0], made[1], made[2]}));
    for (auto const& name : made) the_store().execute(delete_table{name}, {});
}

TEST_P(seam_service, a_prefix_that_no_name_can_have_is_refused) {
    EXPECT_TRUE(refused(the_store().execute(list_tables{.prefix = "a' or"}, {}), service_errc::invalid_resource_name));
}

TEST_P(seam_service, statistics_need_a_secondary) {
    auto const r = the_store().execute(get_service_statistics{}, {});
    EXPECT_TRUE(refused(r, library_errc::unsupported));
}

}  // namespace

void link_service() {}

}  // namespace tablemap::testing::contract
