// SPDX-License-Identifier: Apache-2.0
#include <claims.hpp>

#include <gtest/gtest.h>

namespace {

using contoso::expenses::claim;
using contoso::expenses::state;

class generated_claims : public testing::Test {
protected:
    generated_claims() {
        claims.table().create();
        for (int day = 1; day <= 5; ++day)
            claims.table().insert({.employee = "Don",
                                   .entered = at(day),
                                   .state = day == 5 ? state::paid : state::entered,
                                   .cents = 100 * day});
    }

    static tablemap::ticks at(int day) { return tablemap::ticks{std::chrono::sys_days{std::chrono::days{day}}}; }

    static std::int64_t sum(auto range) {
        std::int64_t cents = 0;
        for (auto const& e : range) cents = cents * 10 + e.value.cents / 100;
        return cents;
    }

    contoso::expenses::claim_repository claims{tablemap::open("embedded::memory:")};
};

TEST_F(generated_claims, gives_the_newest_first) {
    EXPECT_EQ(sum(claims.latest_claims("Don", 2)), 54);
    EXPECT_EQ(sum(claims.claims("Don")), 54321);
}

TEST_F(generated_claims, selects_by_time) {
    EXPECT_EQ(sum(claims.between("Don", at(2), at(4))), 432);
    EXPECT_EQ(sum(claims.since("Don", at(2), at(4), state::entered)), 32);
    EXPECT_EQ(sum(claims.on_tick("Don", at(3))), 3);
}

TEST_F(generated_claims, compares_with_values_of_the_schema) {
    EXPECT_EQ(claims.large("Don", 300)->value.cents, 500);
    EXPECT_FALSE(claims.large("Don", 600));
}

TEST_F(generated_claims, keeps_the_defaults_of_the_schema) {
    EXPECT_EQ(claim{}.reason, "travel\n\"as agreed\"");
    EXPECT_EQ(claim{}.rate, 1.0);
    EXPECT_EQ(static_cast<std::int64_t>(state::paid), 5'000'000'000);
}

TEST_F(generated_claims, finds_by_all_of_the_key) {
    auto const newest = claims.latest_claims("Don", 1).front();
    EXPECT_EQ(claims.find("Don", newest.value.entered, newest.value.id)->value.cents, 500);
}

}  // namespace
