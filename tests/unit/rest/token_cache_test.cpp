// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/rest/token_cache.hpp"

#include "unit/rest/fixture.hpp"
#include "unit/rest/slow_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;
using detail::token_ptr;

class keeping_waiter final : public detail::token_waiter {
public:
    void ready(result<token_ptr> token) noexcept override { given = std::move(token); }

    std::string header() const { return given && *given ? (**given)->header : "(none)"; }
    std::optional<result<token_ptr>> given{};
};

class token_slot : public ::testing::Test {
protected:
    void want(keeping_waiter& w) { EXPECT_TRUE(slot->get(time, w)); }
    void answer(std::string text) { source->answer(access_token{std::move(text), time + tick_duration{1h}}); }

    token_ptr fetched(std::string text) {
        keeping_waiter w;
        want(w);
        answer(std::move(text));
        return w.given ? w.given->value_or(nullptr) : nullptr;
    }

    ticks time = a_date();
    std::shared_ptr<slow_source> source = std::make_shared<slow_source>();
    std::shared_ptr<detail::token_slot> slot = detail::token_cache{source}.of("scope", {});
};

TEST_F(token_slot, ignores_a_late_refusal_of_a_token_that_was_replaced) {
    auto const first = fetched("first");
    slot->refuse(first, {.claims = "a"});
    auto const second = fetched("second");
    slot->refuse(first, {.claims = "b"});
    keeping_waiter w;
    want(w);
    EXPECT_EQ(w.header(), "Bearer second");
    time = time + tick_duration{1h};
    fetched("third");
    ASSERT_EQ(source->asked.size(), 3u);
    EXPECT_EQ(source->asked[1].claims, "a");
    EXPECT_EQ(source->asked[2].claims, "");
}

TEST_F(token_slot, fetches_once_for_refusals_of_one_token) {
    auto const first = fetched("first");
    slot->refuse(first, {.claims = "a"});
    keeping_waiter v, w;
    want(v);
    slot->refuse(first, {.claims = "a"});
    slot->refuse(first, {});
    want(w);
    answer("second");
    EXPECT_EQ(v.header(), "Bearer second");
    EXPECT_EQ(w.header(), "Bearer second");
    EXPECT_EQ(source->asked.size(), 2u);
}

TEST_F(token_slot, gives_no_token_that_was_asked_for_without_the_claims) {
    auto const first = fetched("first");
    slot->refuse(first, {});
    keeping_waiter w;
    want(w);
    slot->refuse(first, {.claims = "a"});
    answer("without claims");
    EXPECT_FALSE(w.given);
    ASSERT_EQ(source->asked.size(), 3u);
    EXPECT_EQ(source->asked[2].claims, "a");
    answer("second");
    EXPECT_EQ(w.header(), "Bearer second");
}

TEST_F(token_slot, does_not_fetch_for_nobody) {
    auto const first = fetched("first");
    time = time + tick_duration{55min};
    keeping_waiter w;
    want(w);
    slot->refuse(first, {.claims = "a"});
    answer("without claims");
    EXPECT_EQ(source->asked.size(), 2u);
    EXPECT_EQ(fetched("second")->header, "Bearer second");
    EXPECT_EQ(source->asked.at(2).claims, "a");
}

TEST(token_cache, keeps_few_tenants_that_nobody_uses) {
    detail::token_cache cache{std::make_shared<slow_source>()};
    auto const used = cache.of("scope", "ours");
    for (int i = 0; i < 10'000; ++i) cache.of("scope", "tenant" + std::to_string(i));
    EXPECT_LE(cache.size(), detail::token_cache::most_slots);
    EXPECT_EQ(cache.of("scope", "ours"), used);
}

}  // namespace
