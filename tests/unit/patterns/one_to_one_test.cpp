// SPDX-License-Identifier: Apache-2.0
#include "support/families.hpp"

#include "tablemap/embedded/store.hpp"
#include "tablemap/testing/faulty_store.hpp"
#include "tablemap/testing/scripted_store.hpp"

#include "support/answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_row;
using tablemap::testing::exchange;
using tablemap::testing::fault;
using tablemap::testing::response_failure;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using people = one_to_one<profile, payroll>;

TEST(one_to_one, reads_each_half_by_its_key) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{
        {"find People [Bonn] [profile_0007]",
         answer_row(R"({"PartitionKey":"Bonn","RowKey":"profile_0007","name":"Don"})", "a")},
        {"find People [Bonn] [payroll_0007]", response_failure(service_errc::resource_not_found)}});
    auto const found = people{s, "People"}.find("Bonn", 7);
    EXPECT_EQ(found.first->value.name, "Don");
    EXPECT_FALSE(found.second);
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(one_to_one, of_a_half_that_cannot_be_read_is_an_error) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{
        {"find People", response_failure(service_errc::resource_not_found)},
        {"find People", answer_row(R"({"PartitionKey":"Bonn","RowKey":"payroll_0007","cents":true})", "a")}});
    auto const r = people{s, "People"}.try_find({"Bonn", 7});
    ASSERT_TRUE(failed_with(r, library_errc::type_mismatch));
    EXPECT_THAT(r.error().what(), HasSubstr("find in table 'People'"));
    EXPECT_EQ(r.error().member(), "cents");
}

TEST(one_to_one, of_two_things_sends_nothing) {
    auto const s = std::make_shared<scripted_store>(std::vector<exchange>{});
    auto const r = people{s, "People"}.try_insert({"Bonn", 7, "Don"}, {"Bonn", 8, 300});
    ASSERT_TRUE(failed_with(r, library_errc::invalid_key));
    EXPECT_THAT(r.error().what(), HasSubstr("commit in table 'People'"));
    EXPECT_THAT(r.error().what(), HasSubstr("no halves of one thing"));
    EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(one_to_one, of_no_rows_has_nothing_to_write) {
    people const p{value_or_throw(open_embedded({.path = ":memory:"})), "People"};
    halves<profile, payroll> none;
    EXPECT_TRUE(failed_with(p.try_replace(none), service_errc::invalid_input));
    EXPECT_TRUE(failed_with(p.try_erase(none), service_errc::invalid_input));
}

TEST(one_to_one, whose_answer_is_lost_is_in_doubt) {
    auto const store =
        std::make_shared<tablemap::testing::faulty_store>(value_or_throw(open_embedded({.path = ":memory:"})));
    people const p{store, "People"};
    table<profile>{store, "People"}.create();
    for (auto const f : {fault::lost_before, fault::lost_after}) {
        store->fail_next(f);
        auto const r = p.try_insert({"Bonn", 7, "Don"}, {"Bonn", 7, 300}, {.retry = retry_policy::none()});
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().outcome(), outcome::in_doubt);
        EXPECT_EQ(p.find("Bonn", 7).complete(), f == fault::lost_after);
    }
}

}  // namespace
}  // namespace tablemap::test
