// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/access_policy.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tablemap {
namespace {

using p = table_permission;

TEST(table_permissions, are_written_in_the_order_of_the_service) {
    EXPECT_EQ((p::erase | p::query).text(), "rd");
    EXPECT_EQ((p::update | p::add).text(), "au");
    EXPECT_EQ(table_permissions::all().text(), "raud");
    EXPECT_EQ(table_permissions{}.text(), "");
}

TEST(table_permissions, are_read_in_any_order) {
    EXPECT_EQ(*table_permissions::parse("dr"), p::query | p::erase);
    EXPECT_EQ(*table_permissions::parse(""), table_permissions{});
    EXPECT_TRUE(table_permissions::parse("duar")->has(p::add));
}

TEST(table_permissions, refuse_letters_of_other_services) {
    auto const read = table_permissions::parse("rwd");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code(), library_errc::invalid_text);
}

TEST(table_permissions, say_what_they_hold) {
    table_permissions const some = p::query;
    EXPECT_TRUE(some.has(p::query));
    EXPECT_FALSE(some.has(p::erase));
    EXPECT_TRUE(table_permissions{}.empty());
    EXPECT_FALSE(some.empty());
}

void expect_refused(std::vector<access_policy> const& policies, service_errc code, std::string const& member) {
    auto const checked = detail::check_access_policies(policies);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), code);
    EXPECT_EQ(checked.error().member(), member);
}

TEST(access_policies, are_at_most_five) {
    std::vector<access_policy> policies;
    for (auto const* id : {"a", "b", "c", "d", "e"}) policies.push_back({.id = id});
    EXPECT_TRUE(detail::check_access_policies(policies));
    policies.push_back({.id = "f"});
    expect_refused(policies, service_errc::out_of_range_input, "");
}

TEST(access_policies, have_ids_of_1_to_64_characters) {
    std::string longest;
    for (int i = 0; i < 64; ++i) longest += "\xC3\xA4";
    EXPECT_TRUE(detail::check_access_policies(std::vector<access_policy>{{.id = longest}}));
    expect_refused({{.id = longest + "x"}}, service_errc::out_of_range_input, "id");
    expect_refused({{.id = ""}}, service_errc::out_of_range_input, "id");
}

TEST(access_policies, have_ids_that_xml_can_carry) {
    for (auto const* id : {"a\nb", "\xFF", "\x7F", "a\xEF\xBF\xBF"})
        expect_refused({{.id = id}}, service_errc::invalid_input, "id");
}

TEST(access_policies, have_ids_that_differ) {
    expect_refused({{.id = "a"}, {.id = "b"}, {.id = "a"}}, service_errc::invalid_input, "id");
}

TEST(access_policies, have_times_that_the_service_knows) {
    expect_refused({{.id = "a", .start = ticks{}}}, service_errc::out_of_range_input, "start");
    expect_refused({{.id = "a", .start = ticks::min(), .expiry = ticks{ticks::max().count() + 1}}},
                   service_errc::out_of_range_input, "expiry");
}

}  // namespace
}  // namespace tablemap
