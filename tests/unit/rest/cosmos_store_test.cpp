// SPDX-License-Identifier: Apache-2.0
#include "rest/cosmos_store.hpp"

#include "unit/rest/fixture.hpp"
#include "unit/rest/scripted_transport.hpp"

#include "tablemap/rest/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;

/// As recorded, of a missing entity and of a missing table alike.
constexpr auto not_found =
    R"({"odata.error":{"code":"ResourceNotFound","message":{"lang":"en-us","value":"The specified resource does not )"
    R"(exist.\nRequestID:00000000-0000-0000-0000-000000000000\n"}}})";

class cosmos_store : public ::testing::TestWithParam<bool> {
protected:
    void will_answer(int status, std::string body, std::vector<std::pair<std::string, std::string>> headers = {}) {
        wire->answers.push_back({{status, std::move(headers), std::move(body)}, std::nullopt});
    }
    void will_miss() { will_answer(404, not_found); }
    void will_find_the_table() { will_answer(200, "{\"value\":[]}"); }

    class keeping_receiver final : public receiver {
    public:
        void complete(response&& answer) noexcept override { last = std::move(answer); }
        std::optional<response> last{};
    };

    response ask(request const& r) {
        if (!GetParam()) return store_->execute(r, {});
        keeping_receiver to;
        call_options const options;
        store_->async_execute(r, options, to);
        return to.last.value();
    }
    std::error_code refusal(request const& r) {
        auto const answer = ask(r);
        return answer.failure ? answer.failure->code() : std::error_code{};
    }
    std::size_t sent() const { return wire->sent.size(); }

    static request write(write_kind kind) {
        return write_entity{"people",
                            {.kind = kind,
                             .partition_key = "p",
                             .row_key = "r",
                             .body = "{}",
                             .if_match = is_conditional(kind) ? "*" : ""}};
    }

    std::shared_ptr<scripted_transport> wire = std::make_shared<scripted_transport>();
    ticks now = a_date();
    store_ptr store_ =
        *open_rest({.account = *parse_storage_account("DefaultEndpointsProtocol=https;AccountName=abc;AccountKey=AQID;"
                                                      "TableEndpoint=https://abc.table.cosmos.azure.com:443/;"),
                    .transport = wire,
                    .now = [this] { return now; }});
};

std::vector<request> requests_of_an_entity() {
    static std::vector<write_operation> const group{
        {.kind = write_kind::insert, .partition_key = "p", .row_key = "a", .body = "{}"},
        {.kind = write_kind::erase, .partition_key = "p", .row_key = "b", .if_match = "*"}};
    auto const erase =
        write_entity{"people", {.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = "*"}};
    return {get_entity{"people", "p", "r"}, erase, transact{"people", group}};
}

TEST_P(cosmos_store, tells_a_missing_table_from_a_missing_entity) {
    for (auto const& r : requests_of_an_entity()) {
        will_miss();
        will_miss();
        EXPECT_EQ(refusal(r), service_errc::table_not_found);
        EXPECT_THAT(
            wire->sent.back().target,
            HasSubstr("/people()?$filter=%28PartitionKey%20eq%20%27%27%29%20and%20%28RowKey%20eq%20%27%27%29&$top=1"));
    }
}

TEST_P(cosmos_store, asks_for_a_table_that_is_there_once_a_minute) {
    will_miss();
    will_find_the_table();
    for (auto const& r : requests_of_an_entity()) {
        if (sent() > 0) will_miss();
        EXPECT_EQ(refusal(r), service_errc::resource_not_found);
    }
    EXPECT_EQ(sent(), 4u);
    now = now + tick_duration{std::chrono::minutes{1}};
    will_miss();
    will_miss();
    EXPECT_EQ(refusal(get_entity{"people", "p", "r"}), service_errc::table_not_found);
}

TEST_P(cosmos_store, asks_again_for_a_table_that_it_has_deleted) {
    will_miss();
    will_find_the_table();
    EXPECT_EQ(refusal(get_entity{"people", "p", "r"}), service_errc::resource_not_found);
    will_answer(204, "");
    EXPECT_TRUE(ask(delete_table{"people"}).ok());
    will_miss();
    will_miss();
    EXPECT_EQ(refusal(get_entity{"people", "p", "r"}), service_errc::table_not_found);
}

TEST_P(cosmos_store, knows_at_once_of_what_needs_no_entity_that_the_table_is_missing) {
    std::vector<write_operation> const group{
        {.kind = write_kind::upsert_merge, .partition_key = "p", .row_key = "a", .body = "{}"}};
    for (request const& r : {request{query_page{.table = "people"}}, write(write_kind::insert),
                             write(write_kind::upsert_replace), request{transact{"people", group}}}) {
        will_miss();
        EXPECT_EQ(refusal(r), service_errc::table_not_found);
    }
    EXPECT_EQ(sent(), 4u);
}

TEST_P(cosmos_store, leaves_the_answer_about_a_table_as_it_is) {
    will_miss();
    EXPECT_EQ(refusal(delete_table{"people"}), service_errc::resource_not_found);
    EXPECT_EQ(sent(), 1u);
}

TEST_P(cosmos_store, believes_a_group_that_names_the_operation) {
    std::string const part =
        "--b\n\nHTTP/1.1 404 Not Found\nContent-Type: application/json;odata=fullmetadata\n\n"
        R"({"odata.error":{"code":"ResourceNotFound","message":{"value":"1:The specified resource does not exist.\n"}}})"
        "\n--b--\n";
    will_answer(202, part, {{"Content-Type", "multipart/mixed; boundary=b"}});
    auto const r = ask(requests_of_an_entity().back());
    EXPECT_EQ(r.failure->code(), service_errc::resource_not_found);
    EXPECT_EQ(r.failure->failed_index(), 1u);
    EXPECT_EQ(sent(), 1u);
}

TEST_P(cosmos_store, takes_neither_for_the_other_where_the_look_fails) {
    will_miss();
    will_answer(429, R"({"odata.error":{"code":"TooManyRequests","message":{"value":"m"}}})",
                {{"x-ms-retry-after-ms", "20"}});
    auto const r = ask(write(write_kind::merge));
    EXPECT_EQ(r.failure->code(), service_errc::too_many_requests);
    EXPECT_EQ(r.outcome(), outcome::not_applied);
    EXPECT_TRUE(r.failure->retryable());
    EXPECT_EQ(r.retry_after, std::chrono::milliseconds{20});
    EXPECT_THAT(r.failure->what(), HasSubstr("merge in table 'people'"));
    EXPECT_THAT(r.failure->what(), HasSubstr("the entity or the table is missing"));
}

TEST_P(cosmos_store, cannot_tell_an_identity_that_may_not_query) {
    will_miss();
    will_answer(403, R"({"odata.error":{"code":"AuthorizationFailure","message":{"value":"m"}}})");
    EXPECT_EQ(refusal(write(write_kind::merge)), service_errc::resource_not_found);
}

TEST_P(cosmos_store, lets_other_answers_pass) {
    will_answer(200, "{}");
    EXPECT_TRUE(ask(get_entity{"people", "p", "r"}).ok());
    will_answer(503, "");
    EXPECT_EQ(refusal(get_entity{"people", "p", "r"}), service_errc::server_busy);
    EXPECT_FALSE(store_->capabilities().ordered_results);
    EXPECT_EQ(sent(), 2u);
}

INSTANTIATE_TEST_SUITE_P(rest, cosmos_store, ::testing::Bool(),
                         [](auto const& p) { return p.param ? "asynchronous" : "blocking"; });

class cosmos_table : public cosmos_store {};

TEST_P(cosmos_table, finds_and_erases_nothing_in_a_table_and_fails_without_one) {
    table<dynamic_entity> const people{store_, "people"};
    will_miss();
    will_find_the_table();
    EXPECT_EQ(people.find({"p", "r"}), std::nullopt);
    will_miss();
    EXPECT_FALSE(people.erase_any({"p", "r"}));
    will_miss();
    EXPECT_FALSE(people.exists());
    table<dynamic_entity> const others{store_, "others"};
    for (int i = 0; i < 4; ++i) will_miss();
    EXPECT_EQ(others.try_find({"p", "r"}).error().code(), service_errc::table_not_found);
    EXPECT_EQ(others.try_erase_any({"p", "r"}).error().code(), service_errc::table_not_found);
}

INSTANTIATE_TEST_SUITE_P(rest, cosmos_table, ::testing::Values(false), [](auto const&) { return "blocking"; });

}  // namespace
