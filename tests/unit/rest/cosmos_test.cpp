// SPDX-License-Identifier: Apache-2.0
#include "rest/cosmos_check.hpp"

#include "unit/rest/fixture.hpp"
#include "unit/rest/scripted_transport.hpp"

#include "tablemap/rest/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;

write_operation insert(std::string_view body, std::string_view row = "r") {
    return {.kind = write_kind::insert, .partition_key = "p", .row_key = row, .body = body};
}

class cosmos : public ::testing::Test {
protected:
    response ask(request const& r) { return store_->execute(r, {}); }

    std::error_code refusal(request const& r) {
        auto const answer = ask(r);
        return answer.failure ? answer.failure->code() : std::error_code{};
    }

    void will_answer(int status, std::string body, std::vector<std::pair<std::string, std::string>> headers = {}) {
        wire->answers.push_back({{status, std::move(headers), std::move(body)}, std::nullopt});
    }

    std::shared_ptr<scripted_transport> wire = std::make_shared<scripted_transport>();
    store_ptr store_ =
        *open_rest({.account = *parse_storage_account("DefaultEndpointsProtocol=https;AccountName=abc;AccountKey=AQID;"
                                                      "TableEndpoint=https://abc.table.cosmos.azure.com:443/;"),
                    .transport = wire});
};

TEST_F(cosmos, refuses_its_own_names_before_sending) {
    for (auto const* name : {"id", "ID", "rid", "etag", "Etag", "ResourceId"}) {
        auto const body = "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"" + std::string{name} + "\":1}";
        auto const r = ask(write_entity{"people", insert(body)});
        EXPECT_EQ(r.failure->code(), service_errc::property_name_invalid);
        EXPECT_EQ(r.failure->member(), name);
        EXPECT_THAT(r.failure->what(), HasSubstr("another one in the mapping"));
    }
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(cosmos, takes_names_that_only_hold_its_own_and_values_alike) {
    will_answer(204, "", {{"ETag", "W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\""}});
    EXPECT_TRUE(
        ask(write_entity{"people", insert(R"({"PartitionKey":"p","RowKey":"r","Id":"id","RID":"\"rid\"","x":"etag"})")})
            .ok());
}

TEST_F(cosmos, has_shorter_row_keys_and_larger_entities) {
    std::string const long_key(256, 'x'), key(255, 'x');
    EXPECT_EQ(refusal(get_entity{"people", "p", long_key}), service_errc::key_value_too_large);
    EXPECT_EQ(refusal(write_entity{"people", insert("{}", long_key)}), service_errc::key_value_too_large);
    std::string const large = "{\"x\":\"" + std::string(2 * 1024 * 1024, 'x') + "\"}";
    EXPECT_EQ(refusal(write_entity{"people", insert(large)}), service_errc::entity_too_large);
    EXPECT_TRUE(wire->sent.empty());
    will_answer(200, "{}");
    EXPECT_TRUE(ask(get_entity{"people", "p", key}).ok());
}

TEST_F(cosmos, names_the_operation_of_a_group_that_it_would_refuse) {
    std::vector<write_operation> const two{insert("{}", "a"), insert("{\"id\":1}", "b")};
    auto const r = ask(transact{"people", two});
    EXPECT_EQ(r.failure->code(), service_errc::property_name_invalid);
    EXPECT_EQ(r.failure->failed_index(), 1u);
}

TEST_F(cosmos, has_no_order_and_no_rates_and_smaller_groups) {
    EXPECT_FALSE(store_->capabilities().ordered_results);
    EXPECT_EQ(store_->capabilities().transaction_bytes, 2u * 1024 * 1024);
    EXPECT_EQ(store_->capabilities().partition_rate, 0);
}

// Answers as they were recorded, but for the ids.
TEST_F(cosmos, says_its_errors_in_its_own_way) {
    will_answer(
        409,
        R"({"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-us","value":"3:The specified entity )"
        R"(already exists.\n\nRequestID:00000000-0000-0000-0000-000000000000\n"}}})");
    auto const r = ask(write_entity{"people", insert("{}")});
    EXPECT_EQ(r.failure->code(), service_errc::entity_already_exists);
    EXPECT_THAT(r.failure->server_text(), HasSubstr("3:The specified entity already exists."));
}

TEST_F(cosmos, throttles_and_says_for_how_long) {
    will_answer(
        429, R"({"odata.error":{"code":"TooManyRequests","message":{"lang":"en-us","value":"Request rate is large"}}})",
        {{"x-ms-retry-after-ms", "1250"}});
    auto const r = ask(get_entity{"people", "p", "r"});
    EXPECT_EQ(r.failure->code(), service_errc::too_many_requests);
    EXPECT_TRUE(r.failure->retryable());
    EXPECT_EQ(r.retry_after, std::chrono::milliseconds{1250});
}

TEST_F(cosmos, answers_with_metadata_of_any_kind_in_any_order) {
    will_answer(
        200,
        R"({"value":[{"odata.etag":"W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\"","PartitionKey":"p","RowKey":"r",)"
        R"("Timestamp":"2021-09-21T00:54:13.4428552Z"}],"odata.metadata":"https://abc/people/$metadata#people"})",
        {{"x-ms-continuation-NextPartitionKey", "{\"token\":\"+RID:~a==#RT:1\",\"range\":{\"min\":\"\"}}"}});
    auto const page = ask(query_page{.table = "people"});
    ASSERT_TRUE(page.ok());
    will_answer(200, "{\"value\":[]}");
    EXPECT_TRUE(ask(query_page{.table = "people", .from = &*page.next}).ok());
    EXPECT_THAT(wire->sent.at(1).target,
                HasSubstr("NextPartitionKey=%7B%22token%22%3A%22%2BRID%3A~a%3D%3D%23RT%3A1%22"));
}

}  // namespace
