// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/service_properties.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tablemap {
namespace {

void expect_refused(service_properties const& p, service_errc code, std::string const& member) {
    auto const checked = detail::check_service_properties(p);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), code);
    EXPECT_EQ(checked.error().member(), member);
}

cors_rule rule() { return {.allowed_origins = {"https://contoso.com"}, .allowed_methods = {"GET"}}; }

TEST(service_properties, may_be_left_out) { EXPECT_TRUE(detail::check_service_properties({})); }

TEST(service_properties, keep_data_for_1_to_365_days) {
    EXPECT_TRUE(detail::check_service_properties({.logging = {{.retention_days = 365}}}));
    expect_refused({.logging = {{.retention_days = 0}}}, service_errc::out_of_range_input, "logging");
    expect_refused({.hour_metrics = {{.retention_days = 366}}}, service_errc::out_of_range_input, "hour_metrics");
}

TEST(service_properties, count_apis_only_where_they_count) {
    EXPECT_TRUE(detail::check_service_properties({.minute_metrics = {{.enabled = true, .include_apis = true}}}));
    expect_refused({.minute_metrics = {{.include_apis = true}}}, service_errc::invalid_input, "minute_metrics");
}

TEST(service_properties, name_a_version) {
    expect_refused({.logging = {{.version = ""}}}, service_errc::invalid_input, "logging");
}

TEST(service_properties, have_at_most_five_rules) {
    service_properties p{.cors = std::vector<cors_rule>(5, rule())};
    EXPECT_TRUE(detail::check_service_properties(p));
    p.cors->push_back(rule());
    expect_refused(p, service_errc::out_of_range_input, "cors");
}

TEST(service_properties, have_rules_for_some_origin_and_method) {
    for (auto list : {&cors_rule::allowed_origins, &cors_rule::allowed_methods}) {
        auto r = rule();
        (r.*list).clear();
        expect_refused({.cors = {{r}}}, service_errc::invalid_input, "cors");
    }
}

TEST(service_properties, have_lists_that_can_be_taken_apart_again) {
    for (auto const* element : {"a,b", "", " a", "a ", "a\tb", "\xFF"}) {
        auto r = rule();
        r.exposed_headers = {element};
        expect_refused({.cors = {{r}}}, service_errc::invalid_input, "cors");
    }
}

TEST(service_properties, have_ages_of_a_sensible_size) {
    auto r = rule();
    r.max_age = std::chrono::seconds{-1};
    expect_refused({.cors = {{r}}}, service_errc::out_of_range_input, "cors");
    r.max_age = std::chrono::seconds{std::int64_t{1} << 31};
    expect_refused({.cors = {{r}}}, service_errc::out_of_range_input, "cors");
}

}  // namespace
}  // namespace tablemap
