// SPDX-License-Identifier: Apache-2.0
#include "rest/bearer_transport.hpp"

#include "unit/rest/fixture.hpp"
#include "unit/rest/scripted_transport.hpp"
#include "unit/rest/slow_source.hpp"

#include "tablemap/rest/credential.hpp"
#include "tablemap/rest/store.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class keeping_receiver final : public receiver {
public:
    void complete(response&& answer) noexcept override {
        ++count;
        last = std::move(answer);
    }
    response last{};
    int count = 0;
};

class bearer : public ::testing::Test {
protected:
    void open(std::string const& text = "AccountName=abc") {
        auto const account = parse_storage_account(text, token_credential{source});
        ASSERT_TRUE(account) << account.error().what();
        store_ = *open_rest({.account = *account, .transport = wire, .now = [this] { return time; }});
    }
    void SetUp() override { open(); }

    void will_answer(int status, std::string challenge = {}) {
        std::vector<std::pair<std::string, std::string>> headers;
        if (!challenge.empty()) headers.emplace_back("WWW-Authenticate", std::move(challenge));
        wire->answers.push_back({{status, std::move(headers), status == 200 ? "{\"value\":[]}" : ""}, std::nullopt});
    }

    keeping_receiver& ask() {
        receivers.push_back(std::make_unique<keeping_receiver>());
        store_->async_execute(query, options, *receivers.back());
        return *receivers.back();
    }

    access_token token(std::string text, tick_duration life = 1h) { return {std::move(text), time + life}; }

    std::vector<std::string> tokens_sent() const {
        std::vector<std::string> texts;
        for (auto const& r : wire->sent) texts.push_back(header_of(r, "Authorization"));
        return texts;
    }

    ticks time = a_date();
    std::shared_ptr<scripted_transport> wire = std::make_shared<scripted_transport>();
    std::shared_ptr<slow_source> source = std::make_shared<slow_source>();
    store_ptr store_;
    request const query = query_page{.table = "people"};
    call_options const options{};
    std::vector<std::unique_ptr<keeping_receiver>> receivers;
};

TEST_F(bearer, sends_a_token_with_the_version_that_takes_it) {
    will_answer(200);
    auto& to = ask();
    source->answer(token("abc"));
    EXPECT_EQ(to.count, 1);
    EXPECT_TRUE(to.last.ok());
    EXPECT_EQ(header_of(wire->sent.at(0), "Authorization"), "Bearer abc");
    EXPECT_EQ(header_of(wire->sent.at(0), "x-ms-version"), "2020-12-06");
    EXPECT_EQ(source->asked.at(0).scope, "https://storage.azure.com/.default");
}

TEST_F(bearer, asks_for_the_scope_of_cosmos_there) {
    open("TableEndpoint=https://abc.table.cosmos.azure.com");
    will_answer(200);
    ask();
    EXPECT_EQ(source->asked.at(0).scope, "https://cosmos.azure.com/.default");
    source->answer(token("abc"));
}

TEST_F(bearer, fetches_one_token_for_all_that_wait_and_keeps_it) {
    for (int i = 0; i < 4; ++i) will_answer(200);
    for (int i = 0; i < 3; ++i) ask();
    EXPECT_EQ(source->asked.size(), 1u);
    EXPECT_EQ(wire->sent.size(), 0u);
    source->answer(token("abc"));
    ask();
    EXPECT_EQ(source->asked.size(), 1u);
    EXPECT_THAT(tokens_sent(), ElementsAre("Bearer abc", "Bearer abc", "Bearer abc", "Bearer abc"));
}

TEST_F(bearer, fetches_the_next_token_ahead_of_time_and_goes_on_with_the_old_one) {
    for (int i = 0; i < 6; ++i) will_answer(200);
    ask();
    source->answer(token("first", 1h));
    time = a_date() + tick_duration{54min};
    ask();
    EXPECT_EQ(source->asked.size(), 1u);
    time = a_date() + tick_duration{55min};
    ask();
    ask();
    EXPECT_EQ(source->asked.size(), 2u);
    source->answer(token("second"));
    ask();
    EXPECT_THAT(tokens_sent(),
                ElementsAre("Bearer first", "Bearer first", "Bearer first", "Bearer first", "Bearer second"));
}

TEST_F(bearer, leaves_a_token_of_short_life_three_quarters_of_it) {
    for (int i = 0; i < 3; ++i) will_answer(200);
    ask();
    source->answer(token("first", 4min));
    time = a_date() + tick_duration{179s};
    ask();
    EXPECT_EQ(source->asked.size(), 1u);
    time = a_date() + tick_duration{180s};
    ask();
    EXPECT_EQ(source->asked.size(), 2u);
    source->answer(token("second"));
}

TEST_F(bearer, bears_a_failure_ahead_of_time_and_pauses) {
    for (int i = 0; i < 5; ++i) will_answer(200);
    ask();
    source->answer(token("first", 1h));
    time = a_date() + tick_duration{55min};
    ask();
    source->answer(fail(library_errc::unsupported, {.reason = "no network"}));
    ask();
    EXPECT_EQ(source->asked.size(), 2u);
    time = time + tick_duration{30s};
    EXPECT_TRUE(ask().last.ok());
    EXPECT_EQ(source->asked.size(), 3u);
    source->answer(token("second"));
}

TEST_F(bearer, fails_all_that_wait_with_the_reason_of_the_source_and_asks_anew_later) {
    will_answer(200);
    auto& first = ask();
    auto& second = ask();
    source->answer(fail(library_errc::unsupported, {.reason = "the vault is shut"}));
    for (auto const* to : {&first, &second}) {
        EXPECT_EQ(to->count, 1);
        EXPECT_EQ(to->last.failure->code(), library_errc::credential_failed);
        EXPECT_EQ(to->last.outcome(), outcome::not_applied);
        EXPECT_THAT(to->last.failure->what(), HasSubstr("the vault is shut"));
        EXPECT_THAT(to->last.failure->what(), HasSubstr("in table 'people'"));
    }
    auto& third = ask();
    source->answer(token("abc"));
    EXPECT_TRUE(third.last.ok());
}

TEST_F(bearer, masks_secrets_in_the_reason_of_the_source) {
    auto& to = ask();
    source->answer(fail(library_errc::unsupported, {.reason = "POST client_secret=hush was refused"}));
    EXPECT_THAT(to.last.failure->what(), HasSubstr("client_secret=[redacted]"));
    EXPECT_THAT(to.last.failure->what(), Not(HasSubstr("hush")));
}

TEST_F(bearer, refuses_what_is_no_token_or_has_expired) {
    auto const refused = [&](access_token t) {
        auto& to = ask();
        source->answer(std::move(t));
        return std::string{to.last.failure->what()};
    };
    EXPECT_THAT(refused(token("")), HasSubstr("visible ASCII"));
    EXPECT_THAT(refused(token("a\r\nX: y")), HasSubstr("visible ASCII"));
    EXPECT_THAT(refused(token("secret", 0s)), HasSubstr("expired already"));
    EXPECT_THAT(refused({"secret"}), Not(HasSubstr("secret")));
    EXPECT_TRUE(wire->sent.empty());
}

constexpr auto asks_for_tenant = "Bearer authorization_uri=https://login.example/contoso/oauth2 resource_id=https://r";

TEST_F(bearer, asks_the_source_again_after_a_challenge_and_sends_once_more) {
    will_answer(401, asks_for_tenant);
    will_answer(200);
    auto& to = ask();
    source->answer(token("first"));
    EXPECT_EQ(to.count, 0);
    ASSERT_EQ(source->asked.size(), 2u);
    EXPECT_EQ(source->asked[1].tenant, "contoso");
    EXPECT_EQ(source->asked[1].resource, "https://r");
    EXPECT_EQ(source->asked[1].scope, "https://storage.azure.com/.default");
    source->answer(token("second"));
    EXPECT_EQ(to.count, 1);
    EXPECT_TRUE(to.last.ok());
    EXPECT_THAT(tokens_sent(), ElementsAre("Bearer first", "Bearer second"));
}

TEST_F(bearer, tries_a_second_token_only_once) {
    will_answer(401, asks_for_tenant);
    will_answer(401, asks_for_tenant);
    auto& to = ask();
    source->answer(token("first"));
    source->answer(token("second"));
    EXPECT_EQ(to.count, 1);
    EXPECT_EQ(to.last.failure->code(), service_errc::invalid_authentication_info);
    EXPECT_THAT(to.last.failure->what(), HasSubstr("account 'abc' did not accept the access token"));
    EXPECT_EQ(source->asked.size(), 2u);
}

TEST_F(bearer, fetches_one_token_for_all_whose_token_was_refused) {
    wire->on_another_thread = false;
    for (int i = 0; i < 2; ++i) will_answer(401);
    for (int i = 0; i < 2; ++i) will_answer(200);
    auto& a = ask();
    auto& b = ask();
    source->answer(token("first"));
    EXPECT_EQ(source->asked.size(), 2u);
    source->answer(token("second"));
    EXPECT_TRUE(a.last.ok());
    EXPECT_TRUE(b.last.ok());
    EXPECT_EQ(source->asked.size(), 2u);
}

constexpr auto asks_for_claims = "Bearer authorization_uri=https://login.example/contoso claims=\"c\"";

TEST_F(bearer, asks_anew_when_a_token_is_refused_while_the_next_is_fetched) {
    for (int const status : {200, 401, 200}) will_answer(status, status == 401 ? "Bearer claims=\"c\"" : "");
    ask();
    source->answer(token("first", 1h));
    time = a_date() + tick_duration{55min};
    auto& to = ask();
    ASSERT_EQ(source->asked.size(), 2u);
    source->answer(token("without claims"));
    EXPECT_EQ(to.count, 0);
    ASSERT_EQ(source->asked.size(), 3u);
    EXPECT_EQ(source->asked[2].claims, "c");
    source->answer(token("second"));
    EXPECT_TRUE(to.last.ok());
    EXPECT_THAT(tokens_sent(), ElementsAre("Bearer first", "Bearer first", "Bearer second"));
}

TEST_F(bearer, asks_for_claims_in_the_tenant_that_came_with_them) {
    will_answer(401, asks_for_claims);
    will_answer(200);
    auto& to = ask();
    source->answer(token("first"));
    ASSERT_EQ(source->asked.size(), 2u);
    EXPECT_EQ(source->asked[1].tenant, "contoso");
    EXPECT_EQ(source->asked[1].claims, "c");
    source->answer(token("second"));
    EXPECT_TRUE(to.last.ok());
}

TEST_F(bearer, keeps_the_tokens_of_two_tenants_apart) {
    std::vector<std::string> tenants;
    token_credential const shared{[&](token_request const& r) -> result<access_token> {
        tenants.push_back(r.tenant);
        return token("of-" + r.tenant);
    }};
    auto const store_of = [&](char const* text) {
        return *open_rest(
            {.account = *parse_storage_account(text, shared), .transport = wire, .now = [this] { return time; }});
    };
    auto const ours = store_of("AccountName=abc"), theirs = store_of("AccountName=def");
    for (int const status : {200, 401, 200, 200, 200}) will_answer(status, status == 401 ? asks_for_tenant : "");
    for (auto const& s : {ours, theirs, ours, theirs}) EXPECT_TRUE(s->execute(query, {}).ok());
    EXPECT_THAT(tenants, ElementsAre("", "contoso"));
    EXPECT_THAT(tokens_sent(),
                ElementsAre("Bearer of-", "Bearer of-", "Bearer of-contoso", "Bearer of-", "Bearer of-contoso"));
}

// Between the moment in which the call begins to heed its stop and the one in which it waits.
TEST_F(bearer, misses_no_stop_that_comes_just_before_it_waits) {
    std::stop_source stop;
    auto const account = parse_storage_account("AccountName=abc", token_credential{source});
    auto const s = *open_rest({.account = *account, .transport = wire, .now = [&] {
                                   stop.request_stop();
                                   return time;
                               }});
    call_options const stoppable{.stop = stop.get_token()};
    keeping_receiver to;
    s->async_execute(query, stoppable, to);
    ASSERT_EQ(to.count, 1);
    EXPECT_EQ(to.last.failure->code(), library_errc::cancelled);
    EXPECT_TRUE(source->asked.empty());
}

TEST_F(bearer, waits_for_no_token_when_the_call_is_stopped) {
    std::stop_source stop;
    call_options const stoppable{.stop = stop.get_token()};
    keeping_receiver to;
    store_->async_execute(query, stoppable, to);
    stop.request_stop();
    EXPECT_EQ(to.count, 1);
    EXPECT_EQ(to.last.failure->code(), library_errc::cancelled);
    source->answer(token("abc"));
    EXPECT_EQ(to.count, 1);
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(bearer, sends_nothing_behind_the_deadline) {
    tablemap::testing::fixed_clock clock{7};
    call_options const hurried{.deadline = clock.now() + 1s, .clock = &clock};
    keeping_receiver to;
    store_->async_execute(query, hurried, to);
    clock.advance(2s);
    source->answer(token("abc"));
    EXPECT_EQ(to.last.failure->code(), library_errc::deadline_exceeded);
    EXPECT_EQ(to.last.outcome(), outcome::not_applied);
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(bearer, of_a_blocking_call_is_waited_for_until_the_calls_deadline) {
    will_answer(200);
    auto& first = ask();
    EXPECT_EQ(store_->execute(query, {.deadline = within(1ms)}).failure->code(), library_errc::deadline_exceeded);
    std::stop_source stop;
    std::jthread const stopping{[&] { stop.request_stop(); }};
    EXPECT_EQ(store_->execute(query, {.stop = stop.get_token()}).failure->code(), library_errc::cancelled);
    EXPECT_EQ(source->asked.size(), 1u);
    source->answer(token("abc"));
    EXPECT_TRUE(first.last.ok());
    will_answer(200);
    EXPECT_TRUE(store_->execute(query, {}).ok());
}

TEST_F(bearer, of_a_blocking_call_is_replaced_once_after_a_challenge) {
    will_answer(401, asks_for_tenant);
    will_answer(200);
    std::vector<std::string> tenants;
    auto const account =
        parse_storage_account("AccountName=abc", token_credential{[&](token_request const& r) -> result<access_token> {
                                  tenants.push_back(r.tenant);
                                  return token("token-" + std::to_string(tenants.size()));
                              }});
    auto const s = *open_rest({.account = *account, .transport = wire, .now = [this] { return time; }});
    EXPECT_TRUE(s->execute(query, {}).ok());
    EXPECT_THAT(tenants, ElementsAre("", "contoso"));
    EXPECT_THAT(tokens_sent(), ElementsAre("Bearer token-1", "Bearer token-2"));
}

TEST_F(bearer, may_come_from_a_function_that_throws) {
    auto const account =
        parse_storage_account("AccountName=abc", token_credential{[](token_request const&) -> result<access_token> {
                                  throw std::runtime_error{"no route to the identity service"};
                              }});
    auto const s = *open_rest({.account = *account, .transport = wire});
    EXPECT_THAT(s->execute(query, {}).failure->what(), HasSubstr("no route to the identity service"));
}

/// A source of the program's own, which throws instead of answering.
struct throwing_source final : token_source {
    void get(token_request const&, token_receiver&) override {
        throw std::runtime_error{"no route to the identity service"};
    }
};

TEST_F(bearer, may_come_from_a_source_that_throws) {
    token_credential const credential{std::make_shared<throwing_source>()};
    store_ = *open_rest({.account = *parse_storage_account("AccountName=abc", credential), .transport = wire});
    EXPECT_THAT(store_->execute(query, {}).failure->what(), HasSubstr("no route to the identity service"));
    auto const& told = ask();
    EXPECT_EQ(told.count, 1);
    EXPECT_EQ(told.last.failure->code(), library_errc::credential_failed);
}

TEST_F(bearer, an_asynchronous_request_fails_where_the_function_that_tells_the_time_throws) {
    auto const account = parse_storage_account("AccountName=abc", token_credential{source});
    bool broken = false;
    auto const now = [&] { return broken ? throw std::runtime_error{"no time"} : time; };
    store_ = *open_rest({.account = *account, .transport = wire, .now = now});
    will_answer(200);
    auto const& told = ask();
    broken = true;
    source->answer(token("abc"));
    EXPECT_EQ(told.count, 1);
    EXPECT_FALSE(told.last.ok());
}

TEST_F(bearer, shares_its_tokens_between_the_stores_of_one_credential) {
    int asked = 0;
    token_credential const shared{[&](token_request const&) -> result<access_token> {
        ++asked;
        return token("abc");
    }};
    for (auto const* text : {"AccountName=abc", "AccountName=def"}) {
        will_answer(200);
        auto const s = *open_rest(
            {.account = *parse_storage_account(text, shared), .transport = wire, .now = [this] { return time; }});
        EXPECT_TRUE(s->execute(query, {}).ok());
    }
    EXPECT_EQ(asked, 1);
}

}  // namespace
