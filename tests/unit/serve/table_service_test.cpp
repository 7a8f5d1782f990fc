// SPDX-License-Identifier: Apache-2.0
#include "unit/serve/served.hpp"

#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <vector>

namespace tablemap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class serve_table_service : public served {
protected:
    static http_request accepting(http_request r, std::string accept) {
        r.headers[1].second = std::move(accept);
        return r;
    }
    http_response group(std::string_view operations, std::string const& path = "/$batch") const {
        std::string body =
            "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n" + std::string{operations} + "--c--\r\n--b--\r\n";
        auto r = message("POST", path);
        r.headers.emplace_back("Content-Type", "multipart/mixed; boundary=b");
        r.body = std::move(body);
        return owner(std::move(r));
    }
    static std::string operation(std::string_view line, std::string_view body, std::string_view header = {}) {
        return "--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n" +
               std::string{line} + " HTTP/1.1\r\n" + std::string{header} +
               "Accept: application/json\r\nContent-Type: application/json\r\n\r\n" + std::string{body} + "\r\n";
    }
    static std::string url(std::string_view path) { return "http://localhost:1/served1" + std::string{path}; }
};

constexpr char const* first = "/People(PartitionKey='p',RowKey='1')";

TEST_F(serve_table_service, every_response_has_the_usual_headers) {
    auto const r = owner(with(message("GET", first), "x-ms-client-request-id", "mine"));
    EXPECT_EQ(r.status, 200);
    for (auto const* name : {"x-ms-request-id", "x-ms-version", "Date", "ETag", "Content-Type"})
        EXPECT_TRUE(r.header(name)) << name;
    EXPECT_EQ(*r.header("x-ms-client-request-id"), "mine");
}

TEST_F(serve_table_service, a_version_that_is_no_day_is_refused) {
    auto const answer = [&](char const* version) {
        return owner(with(message("GET", first), "x-ms-version", version));
    };
    EXPECT_EQ(answer("2013-08-15").status, 200);
    for (auto const* bad : {"", "nonsense", "2019-02", "2019-02-30", "2019-02-02T00:00:00Z"})
        EXPECT_TRUE(refused_with(answer(bad), 400, "InvalidHeaderValue")) << bad;
}

TEST_F(serve_table_service, metadata_is_as_the_client_asks) {
    owner("PUT", first, R"({"N@odata.type":"Edm.Int64","N":"5","D@odata.type":"Edm.Double","D":2})");
    auto const body = [&](char const* accept) { return owner(accepting(message("GET", first), accept)).body; };
    EXPECT_THAT(body("application/json;odata=nometadata"),
                StartsWith(R"({"PartitionKey":"p","RowKey":"1","Timestamp":)"));
    EXPECT_THAT(body("application/json;odata=nometadata"), Not(HasSubstr("odata")));
    auto const minimal = body("application/json");
    EXPECT_THAT(minimal, StartsWith(R"({"odata.metadata":"http://localhost:1/served1/$metadata#People/@Element",)"
                                    R"("odata.etag":"W/\"datetime')"));
    EXPECT_THAT(minimal, HasSubstr(R"("N@odata.type":"Edm.Int64","N":"5","D":2.0})"));
    auto const full = body("application/json;odata=fullmetadata");
    EXPECT_THAT(full, HasSubstr(R"("odata.type":"served1.People")"));
    EXPECT_THAT(full, HasSubstr("\"odata.editLink\":\"People(PartitionKey='p',RowKey='1')\""));
    EXPECT_THAT(full, HasSubstr(R"("Timestamp@odata.type":"Edm.DateTime")"));
}

TEST_F(serve_table_service, other_formats_than_json_are_refused) {
    EXPECT_TRUE(
        refused_with(owner(accepting(message("GET", first), "application/atom+xml")), 415, "AtomFormatNotSupported"));
    EXPECT_TRUE(refused_with(owner(accepting(message("GET", first), "application/json;odata=verbose")), 415,
                             "JsonVerboseFormatNotSupported"));
}

TEST_F(serve_table_service, a_table_that_cannot_be_answered_for_is_not_created) {
    auto const r = accepting(message("POST", "/Tables", R"({"TableName":"Late"})"), "application/atom+xml");
    EXPECT_TRUE(refused_with(owner(r), 415, "AtomFormatNotSupported"));
    EXPECT_EQ(owner("GET", "/Tables('Late')").status, 404);
    EXPECT_EQ(owner(with(r, "Prefer", "return-no-content")).status, 204);
}

TEST_F(serve_table_service, selected_properties_alone_are_sent) {
    owner("PUT", first, R"({"A":1,"B":2})");
    auto const r = owner("GET", std::string{first} + "?$select=B");
    EXPECT_THAT(r.body, HasSubstr("\"B\":2}"));
    EXPECT_THAT(r.body, Not(HasSubstr("PartitionKey\"")));
    EXPECT_THAT(r.body, HasSubstr("odata.etag"));
}

TEST_F(serve_table_service, pages_continue_where_they_ended) {
    auto const page = owner("GET", "/People()?$top=2");
    auto const* const partition = page.header("x-ms-continuation-NextPartitionKey");
    auto const* const row = page.header("x-ms-continuation-NextRowKey");
    ASSERT_TRUE(partition && row);
    auto const path = "/People()?$top=2&NextPartitionKey=" + *partition + "&NextRowKey=" + *row;
    auto const rest = owner("GET", path);
    EXPECT_THAT(rest.body, HasSubstr("\"RowKey\":\"3\""));
    EXPECT_THAT(rest.body, Not(HasSubstr("\"RowKey\":\"2\"")));
    EXPECT_FALSE(rest.header("x-ms-continuation-NextPartitionKey"));
    EXPECT_TRUE(refused_with(owner("GET", "/People()?NextPartitionKey=nonsense"), 400, "InvalidInput"));
}

TEST_F(serve_table_service, keys_may_come_in_either_order_and_encoded) {
    EXPECT_EQ(owner("GET", "/People(RowKey='1',PartitionKey='p')").status, 200);
    EXPECT_EQ(owner("GET", "/People%28PartitionKey%3D%27p%27%2C%20RowKey%3D%271%27%29").status, 200);
    for (auto const* bad : {"/People(PartitionKey='p')", "/People(PartitionKey='p',RowKey='1'", "/People('p','1')",
                            "/a/b", "/People(PartitionKey='p',PartitionKey='p',RowKey='1')"})
        EXPECT_TRUE(refused_with(owner("GET", bad), 400, "InvalidUri")) << bad;
}

TEST_F(serve_table_service, an_empty_condition_is_no_upsert) {
    EXPECT_TRUE(refused_with(owner(with(message("PUT", first, "{}"), "If-Match", "")), 400, "InvalidInput"));
    EXPECT_TRUE(refused_with(owner("DELETE", first), 400, "InvalidInput"));
    EXPECT_TRUE(refused_with(owner(with(message("PUT", first, "{}"), "If-Match", "W/\"other\"")), 412,
                             "UpdateConditionNotSatisfied"));
}

TEST_F(serve_table_service, a_merge_may_be_tunnelled_through_post_alone) {
    EXPECT_EQ(owner(with(message("POST", first, R"({"A":1})"), "X-HTTP-Method", "MERGE")).status, 204);
    EXPECT_TRUE(
        refused_with(owner(with(message("PUT", first, "{}"), "X-HTTP-Method", "MERGE")), 400, "XMethodNotUsingPost"));
    EXPECT_TRUE(
        refused_with(owner(with(message("POST", first, "{}"), "X-HTTP-Method", "COPY")), 400, "XMethodIncorrectValue"));
}

TEST_F(serve_table_service, keys_of_a_body_are_those_of_the_url) {
    auto const body = R"({"PartitionKey":"q","RowKey":"1"})";
    EXPECT_TRUE(refused_with(owner("PUT", first, body), 400, "InvalidInput"));
    EXPECT_TRUE(refused_with(owner("POST", "/People", R"({"PartitionKey":"q"})"), 400, "PropertiesNeedValue"));
}

TEST_F(serve_table_service, an_insert_answers_with_the_entity_or_without) {
    auto const body = R"({"PartitionKey":"n","RowKey":"1","A":null,"B":"x"})";
    auto const r = owner("POST", "/People", body);
    EXPECT_EQ(r.status, 201);
    EXPECT_THAT(r.body, HasSubstr(R"("PartitionKey":"n","RowKey":"1","Timestamp":")"));
    EXPECT_THAT(r.body, HasSubstr(R"("B":"x"})"));
    EXPECT_EQ(*r.header("Location"), url("/People(PartitionKey='n',RowKey='1')"));
    EXPECT_TRUE(refused_with(owner("POST", "/People", body), 409, "EntityAlreadyExists"));
    auto const quiet =
        owner(with(message("POST", "/People", R"({"PartitionKey":"n","RowKey":"2"})"), "Prefer", "return-no-content"));
    EXPECT_EQ(quiet.status, 204);
    EXPECT_EQ(*quiet.header("Preference-Applied"), "return-no-content");
}

TEST_F(serve_table_service, a_group_is_carried_out_as_a_whole_or_not_at_all) {
    auto const good = group(operation("PUT " + url("/People(PartitionKey='p',RowKey='8')"), "{}") +
                            operation("POST " + url("/People"), R"({"PartitionKey":"p","RowKey":"9"})"));
    EXPECT_EQ(good.status, 202);
    EXPECT_THAT(good.body, HasSubstr("HTTP/1.1 201 Created"));
    auto const bad =
        group(operation("PUT " + url("/People(PartitionKey='p',RowKey='7')"), "{}") +
              operation("POST " + url("/People"), R"({"PartitionKey":"p","RowKey":"9"})", "Content-ID: 2\r\n"));
    EXPECT_EQ(bad.status, 202);
    EXPECT_THAT(bad.body, HasSubstr("HTTP/1.1 409 Conflict"));
    EXPECT_THAT(bad.body, HasSubstr("\"1:The specified entity already exists."));
    EXPECT_THAT(bad.body, HasSubstr("Content-ID: 2"));
    EXPECT_EQ(owner("GET", "/People(PartitionKey='p',RowKey='7')").status, 404);
}

TEST_F(serve_table_service, the_format_of_each_operation_of_a_group_is_its_own) {
    auto const insert = [](std::string_view path, std::string_view key) {
        return operation("POST " + url(path), R"({"PartitionKey":"p","RowKey":")" + std::string{key} + "\"}");
    };
    auto const bare = group(insert("/People?$format=application/json;odata=nometadata", "7"));
    EXPECT_THAT(bare.body, HasSubstr("HTTP/1.1 201"));
    EXPECT_THAT(bare.body, Not(HasSubstr("odata.metadata")));
    EXPECT_THAT(group(insert("/People?$format=application/json;odata=fullmetadata", "8")).body,
                HasSubstr("odata.editLink"));
    EXPECT_THAT(group(insert("/People", "9"), "/$batch?$format=json").body, HasSubstr("HTTP/1.1 201"));
    EXPECT_EQ(owner("GET", "/People(PartitionKey='p',RowKey='9')").status, 200);
}

TEST_F(serve_table_service, failures_of_another_store_tell_what_is_stored) {
    auto const answer = [](std::error_code code, outcome o) {
        auto const upstream = std::make_shared<testing::scripted_store>(
            std::vector<testing::exchange>{{"replace People", testing::response_failure(code, o)}});
        table_service const over{
            upstream,
            {.account = std::string{served_account}, .key = account_key{served_key()}, .now = [] { return noon; }}};
        auto r = signed_at(noon, with(message("PUT", first, "{}"), "If-Match", "*"));
        return over.handle({.message = std::move(r), .peer = "127.0.0.1"});
    };
    EXPECT_TRUE(refused_with(answer(service_errc::unknown, outcome::not_applied), 400, "InvalidInput"));
    EXPECT_TRUE(refused_with(answer(transport_errc::response_too_large, outcome::in_doubt), 500, "OperationTimedOut"));
}

TEST_F(serve_table_service, an_operation_of_a_group_may_name_its_table_alone) {
    auto const key = "(PartitionKey='p',RowKey='8')";
    for (auto const& path : {"/People" + std::string{key}, "/served1/People" + std::string{key}})
        EXPECT_THAT(group(operation("PUT " + path, "{}")).body, HasSubstr("HTTP/1.1 204")) << path;
    EXPECT_THAT(group(operation("PUT http://localhost:1/People" + std::string{key}, "{}")).body,
                HasSubstr("AuthenticationFailed"));
}

TEST_F(serve_table_service, a_group_acts_in_one_partition_of_one_table) {
    auto const put = [](std::string_view path) { return operation("PUT " + url(path), "{}"); };
    EXPECT_THAT(group(put("/People(PartitionKey='p',RowKey='8')") + put("/People(PartitionKey='q',RowKey='8')")).body,
                HasSubstr("CommandsInBatchActOnDifferentPartitions"));
    EXPECT_THAT(group(put("/People(PartitionKey='p',RowKey='8')") + put("/Other(PartitionKey='p',RowKey='8')")).body,
                HasSubstr("\"1:All operations of a change set act on one table."));
    std::string many;
    for (int i = 0; i < 101; ++i) many += put("/People(PartitionKey='p',RowKey='x" + std::to_string(i) + "')");
    EXPECT_THAT(group(many).body, HasSubstr("\"99:"));
}

TEST_F(serve_table_service, no_condition_of_an_operation_is_passed_over) {
    std::string many;
    for (int i = 0; i < 100; ++i) many += "x: " + std::to_string(i) + "\r\n";
    std::string const condition = "If-Match: W/\"other\"\r\n";
    for (auto const& headers : {std::string{"If-Match W/\"other\"\r\n"}, "x: 1\r\n " + condition, many + condition})
        EXPECT_THAT(group(operation("PUT " + url(first), "{}", headers)).body, HasSubstr("0:An operation of a batch"))
            << headers;
    EXPECT_THAT(group(operation("PUT " + url(first), "{}", condition)).body, HasSubstr("412"));
}

TEST_F(serve_table_service, a_batch_may_hold_one_query) {
    auto r = message("POST", "/$batch");
    r.headers.emplace_back("Content-Type", "multipart/mixed; boundary=b");
    r.body = "--b\r\nContent-Type: application/http\r\n\r\nGET " + url("/People()?$top=1") +
             " HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\n\r\n\r\n--b--\r\n";
    auto const answer = owner(r);
    EXPECT_EQ(answer.status, 202);
    EXPECT_THAT(answer.body, HasSubstr("HTTP/1.1 200 OK"));
    EXPECT_THAT(answer.body, HasSubstr("x-ms-continuation-NextPartitionKey: "));
}

TEST_F(serve_table_service, tables_are_found_whatever_their_case) {
    EXPECT_THAT(owner("GET", "/Tables('people')").body, HasSubstr("\"TableName\":\"People\""));
    EXPECT_THAT(owner("GET", "/Tables?$filter=TableName%20eq%20'PEOPLE'").body, HasSubstr("\"TableName\":\"People\""));
    EXPECT_TRUE(refused_with(owner("GET", "/Tables('Missing')"), 404, "ResourceNotFound"));
    EXPECT_TRUE(refused_with(owner("POST", "/Tables", R"({"TableName":"PEOPLE"})"), 409, "TableAlreadyExists"));
    EXPECT_TRUE(refused_with(owner("POST", "/Tables", R"({"Name":"x"})"), 400, "InvalidInput"));
}

TEST_F(serve_table_service, statistics_and_reads_are_at_the_secondary_and_no_writes) {
    auto const secondary = [&](std::string method, std::string path) {
        auto r = message(std::move(method), path);
        r.target = "/served1-secondary" + path;
        return owner(std::move(r));
    };
    EXPECT_THAT(secondary("GET", "/?restype=service&comp=stats").body, HasSubstr("<Status>live</Status>"));
    EXPECT_EQ(secondary("GET", "/People()").status, 200);
    EXPECT_EQ(secondary("DELETE", "/Tables('People')").status, 403);
    auto const primary = owner("GET", "/?restype=service&comp=stats");
    EXPECT_TRUE(refused_with(primary, 400, "InvalidQueryParameterValue"));
    EXPECT_THAT(primary.body, StartsWith("<?xml"));
}

TEST_F(serve_table_service, a_host_that_could_end_a_url_is_refused) {
    auto r = message("GET", first);
    r.headers[0].second = "localhost/\"><script>";
    EXPECT_TRUE(refused_with(owner(r), 400, "InvalidHeaderValue"));
}

TEST_F(serve_table_service, a_parameter_that_comes_twice_is_refused) {
    EXPECT_TRUE(refused_with(owner("GET", "/People()?$top=1&%24top=2"), 400, "InvalidQueryParameterValue"));
}

}  // namespace
}  // namespace tablemap::test
