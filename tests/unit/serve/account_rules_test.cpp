// SPDX-License-Identifier: Apache-2.0
#include "serve/account_rules.hpp"

#include "support/noting_store.hpp"
#include "tablemap/store/service_response.hpp"
#include "unit/serve/served.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace tablemap::test {
namespace {

using detail::serve::account_rules;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(account_rules, are_read_once_for_many_requests_and_anew_when_they_changed) {
    auto const store = std::make_shared<noting_store>(store_in_memory());
    account_rules rules{store};
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(rules.get()->empty());
    EXPECT_LT(store->take().size(), 50u);  // another one after each second
    rules.forget();
    rules.get();
    EXPECT_GE(store->take().size(), 1u);
}

TEST(account_rules, stay_known_when_the_store_fails) {
    auto const failure = testing::response_failure(store_errc::corrupt);
    auto const page = std::make_shared<service_response>();
    page->properties.cors = std::vector<cors_rule>(1);
    response good;
    good.service = page;
    auto const store = std::make_shared<testing::scripted_store>(
        std::vector<testing::exchange>{{"read properties", good}, {"read properties", failure}});
    account_rules rules{store};
    ASSERT_TRUE(rules.get());
    rules.forget();
    ASSERT_TRUE(rules.get());
    EXPECT_EQ(rules.get()->size(), 1u);
    EXPECT_EQ(store->asked(), 2u);
}

class serve_without_rules : public served {
protected:
    static store_ptr failing() {
        auto const failure = testing::response_failure(store_errc::corrupt);
        return std::make_shared<testing::scripted_store>(std::vector<testing::exchange>{{"read properties", failure}});
    }

    store_ptr const broken = failing();
    table_service const over{
        broken, {.account = std::string{served_account}, .key = account_key{served_key()}, .now = [] { return noon; }}};
};

TEST_F(serve_without_rules, strangers_do_not_learn_why_and_ask_the_store_once) {
    auto const ask = with(with(message("OPTIONS", "/Tables"), "Origin", "a"), "Access-Control-Request-Method", "GET");
    for (int i = 0; i < 3; ++i) {
        auto const r = over.handle({.message = ask});
        EXPECT_TRUE(refused_with(r, 503, "ServerBusy"));
        EXPECT_THAT(r.body, Not(HasSubstr("store")));
    }
    EXPECT_EQ(std::static_pointer_cast<testing::scripted_store>(broken)->asked(), 1u);
}

}  // namespace
}  // namespace tablemap::test
