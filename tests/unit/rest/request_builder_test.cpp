// SPDX-License-Identifier: Apache-2.0
#include "rest/request_builder.hpp"

#include "unit/rest/fixture.hpp"

#include "tablemap/edm/service_properties.hpp"
#include "tablemap/store/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

result<http_request> try_built(request const& r, service_endpoint const& endpoint) {
    return detail::build_request(r, {.endpoint = endpoint,
                                     .client_request_id = "an-id",
                                     .date = a_date(),
                                     .batch = *guid::parse("11111111-1111-1111-1111-111111111111"),
                                     .changeset = *guid::parse("22222222-2222-2222-2222-222222222222")});
}

http_request built(request const& r, service_endpoint const& endpoint = emulator_account().endpoint) {
    auto m = try_built(r, endpoint);
    EXPECT_TRUE(m) << m.error().what();
    return m ? *std::move(m) : http_request{};
}

service_endpoint cosmos() { return {{"https", "acc.table.cosmos.azure.com", "443"}, ""}; }

std::string target(request const& r) { return built(r, {{"https", "h", "443"}, ""}).target; }

write_entity write(write_kind kind, std::string_view body, std::string_view if_match = {}) {
    return {"people", {.kind = kind, .partition_key = "p", .row_key = "it's", .body = body, .if_match = if_match}};
}

std::string const common_headers = "Accept: application/json;odata=minimalmetadata\n"
                                   "DataServiceVersion: 3.0\n"
                                   "MaxDataServiceVersion: 3.0;NetFx\n"
                                   "User-Agent: tablemap\n"
                                   "x-ms-client-request-id: an-id\n"
                                   "x-ms-version: 2019-02-02\n"
                                   "x-ms-date: Fri, 20 Nov 2026 00:00:00 GMT\n";

// --- tables ----------------------------------------------------------------------------------------------------------

TEST(request_builder, creates_a_table) {
    EXPECT_EQ(text_of(built(create_table{"People"})), "POST /devstoreaccount1/Tables\n" + common_headers +
                                                          "Prefer: return-no-content\n"
                                                          "Content-Type: application/json\n\n"
                                                          "{\"TableName\":\"People\"}");
}

TEST(request_builder, deletes_a_table) {
    EXPECT_EQ(text_of(built(delete_table{"People"})),
              "DELETE /devstoreaccount1/Tables('People')\n" + common_headers + "\n");
}

TEST(request_builder, lists_tables_and_goes_on) {
    EXPECT_EQ(text_of(built(list_tables{})), "GET /devstoreaccount1/Tables\n" + common_headers + "\n");
    EXPECT_EQ(target(list_tables{.from = "1!4!a+b=", .top = 7}), "/Tables?$top=7&NextTableName=1%214%21a%2Bb%3D");
}

// --- reads -----------------------------------------------------------------------------------------------------------

TEST(request_builder, gets_an_entity) {
    EXPECT_EQ(text_of(built(get_entity{"people", "a b", "it's"})),
              "GET /devstoreaccount1/people(PartitionKey='a%20b',RowKey='it%27%27s')\n" + common_headers + "\n");
}

TEST(request_builder, selects_what_identifies_an_entity_too) {
    std::array<std::string_view, 4> const select{"Age", "RowKey",
                                                 "Gr\xC3\xB6\xC3\x9F"
                                                 "e",
                                                 "a,b"};
    EXPECT_EQ(target(get_entity{"people", "p", "r", select}),
              "/people(PartitionKey='p',RowKey='r')"
              "?$select=PartitionKey,RowKey,Timestamp,Age,Gr%C3%B6%C3%9Fe,a%2Cb");
}

TEST(request_builder, queries_a_whole_table) { EXPECT_EQ(target(query_page{.table = "people"}), "/people()"); }

TEST(request_builder, asks_for_bounds_of_keys_in_the_filter) {
    EXPECT_EQ(target(query_page{
                  .table = "people", .partition = key_bounds::exactly("O'Brien"), .row = {.from = "a", .to = "b"}}),
              "/people()?$filter=%28PartitionKey%20eq%20%27O%27%27Brien%27%29%20and%20%28RowKey%20ge%20%27a%27%29"
              "%20and%20%28RowKey%20lt%20%27b%27%29");
}

TEST(request_builder, renders_each_end_of_the_bounds) {
    auto filter = [](key_bounds b) {
        auto const t = target(query_page{.table = "people", .row = b});
        return t.substr(std::string_view{"/people()?$filter="}.size());
    };
    EXPECT_EQ(filter({.from = "", .from_inclusive = false}), "%28RowKey%20gt%20%27%27%29");
    EXPECT_EQ(filter({.to = "z", .to_inclusive = true}), "%28RowKey%20le%20%27z%27%29");
    EXPECT_EQ(filter(key_bounds::exactly("")), "%28RowKey%20eq%20%27%27%29");
}

TEST(request_builder, joins_bounds_and_filter_with_every_operand_in_parentheses) {
    filter::expression const where = filter::expression{filter::comparison{"A", filter::comparison_operator::ge, 1}} ||
                                     filter::comparison{"B", filter::comparison_operator::eq, "x+y"};
    EXPECT_EQ(target(query_page{.table = "people", .partition = key_bounds::exactly("p"), .where = &where}),
              "/people()?$filter=%28PartitionKey%20eq%20%27p%27%29%20and%20%28%28A%20ge%201%29%20or%20%28B%20eq%20"
              "%27x%2By%27%29%29");
    EXPECT_EQ(target(query_page{.table = "people", .where = &where}),
              "/people()?$filter=%28A%20ge%201%29%20or%20%28B%20eq%20%27x%2By%27%29");
}

TEST(request_builder, goes_on_behind_a_page_with_the_rest_unchanged) {
    continuation const both{"1!4!cA--", "1!4!cg+="}, partition_only{"x", std::nullopt}, empty_row{"", ""};
    std::array<std::string_view, 1> const select{"A"};
    EXPECT_EQ(target(query_page{.table = "people", .select = select, .top = 10, .from = &both}),
              "/people()?$select=PartitionKey,RowKey,Timestamp,A&$top=10&NextPartitionKey=1%214%21cA--"
              "&NextRowKey=1%214%21cg%2B%3D");
    EXPECT_EQ(target(query_page{.table = "people", .from = &partition_only}), "/people()?NextPartitionKey=x");
    EXPECT_EQ(target(query_page{.table = "people", .from = &empty_row}), "/people()?NextPartitionKey=&NextRowKey=");
}

TEST(request_builder, refuses_a_filter_that_cannot_be_asked) {
    filter::expression const where =
        filter::comparison{"D", filter::comparison_operator::eq, std::numeric_limits<double>::quiet_NaN()};
    auto const r = try_built(query_page{.table = "people", .where = &where}, cosmos());
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), library_errc::unsupported);
    EXPECT_EQ(r.error().member(), "D");
}

// --- writes ----------------------------------------------------------------------------------------------------------

TEST(request_builder, inserts_without_asking_for_the_entity) {
    EXPECT_EQ(text_of(built(write(write_kind::insert, "{\"A\":1}"))), "POST /devstoreaccount1/people\n" +
                                                                          common_headers +
                                                                          "Prefer: return-no-content\n"
                                                                          "Content-Type: application/json\n\n"
                                                                          "{\"A\":1}");
}

TEST(request_builder, replaces_under_an_etag) {
    auto const m = built(write(write_kind::replace, "{}", "W/\"datetime'2021'\""));
    EXPECT_EQ(text_of(m), "PUT /devstoreaccount1/people(PartitionKey='p',RowKey='it%27%27s')\n" + common_headers +
                              "If-Match: W/\"datetime'2021'\"\n"
                              "Content-Type: application/json\n\n{}");
}

TEST(request_builder, merges_by_patch_and_at_cosmos_through_post) {
    EXPECT_THAT(text_of(built(write(write_kind::merge, "{}", "*"))),
                EndsWith("If-Match: *\nContent-Type: application/json\n\n{}"));
    EXPECT_EQ(built(write(write_kind::merge, "{}", "*")).method, "PATCH");
    auto const tunnelled = built(write(write_kind::upsert_merge, "{}"), cosmos());
    EXPECT_EQ(tunnelled.method, "POST");
    EXPECT_EQ(tunnelled.target, "/people(PartitionKey='p',RowKey='it%27%27s')");
    EXPECT_EQ(header_of(tunnelled, "X-HTTP-Method"), "MERGE");
}

TEST(request_builder, upserts_without_a_condition) {
    for (auto const kind : {write_kind::upsert_replace, write_kind::upsert_merge}) {
        auto const m = built(write(kind, "{}"));
        EXPECT_EQ(m.method, kind == write_kind::upsert_replace ? "PUT" : "PATCH");
        EXPECT_EQ(header_of(m, "If-Match"), "(absent)");
        EXPECT_EQ(header_of(m, "Prefer"), "(absent)");
    }
}

TEST(request_builder, erases_with_a_condition_and_without_a_body) {
    EXPECT_EQ(text_of(built(write(write_kind::erase, "", "*"))),
              "DELETE /devstoreaccount1/people(PartitionKey='p',RowKey='it%27%27s')\n" + common_headers +
                  "If-Match: *\n\n");
}

// --- group transactions ----------------------------------------------------------------------------------------------

/// One operation of every kind, each under every condition that it can have.
std::vector<write_operation> const every_kind{
    {.kind = write_kind::insert,
     .partition_key = "p",
     .row_key = "1",
     .body = R"({"PartitionKey":"p","RowKey":"1","A":1})"},
    {.kind = write_kind::replace,
     .partition_key = "p",
     .row_key = "2",
     .body = R"({"PartitionKey":"p","RowKey":"2","A":2})",
     .if_match = "W/\"datetime'2026-11-21T01%3A57%3A01.3113092Z'\""},
    {.kind = write_kind::merge,
     .partition_key = "p",
     .row_key = "3",
     .body = R"({"PartitionKey":"p","RowKey":"3","A":3})",
     .if_match = "W/\"datetime'2026-11-21T01%3A57%3A01.3113092Z'\""},
    {.kind = write_kind::merge,
     .partition_key = "p",
     .row_key = "4",
     .body = R"({"PartitionKey":"p","RowKey":"4","A":4})",
     .if_match = "*"},
    {.kind = write_kind::upsert_replace,
     .partition_key = "p",
     .row_key = "5",
     .body = R"({"PartitionKey":"p","RowKey":"5","A":5})"},
    {.kind = write_kind::upsert_merge,
     .partition_key = "p",
     .row_key = "6",
     .body = R"({"PartitionKey":"p","RowKey":"6","A":6})"},
    {.kind = write_kind::erase,
     .partition_key = "p",
     .row_key = "7",
     .if_match = "W/\"datetime'2026-11-21T01%3A57%3A01.3113092Z'\""},
    {.kind = write_kind::erase, .partition_key = "p", .row_key = "8", .if_match = "*"}};

std::string const every_kind_on_the_wire = R"(--batch_11111111-1111-1111-1111-111111111111
Content-Type: multipart/mixed; boundary=changeset_22222222-2222-2222-2222-222222222222

--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

POST http://127.0.0.1:10002/devstoreaccount1/T HTTP/1.1
Content-ID: 1
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
Prefer: return-no-content

{"PartitionKey":"p","RowKey":"1","A":1}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

PUT http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%272%27) HTTP/1.1
Content-ID: 2
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
If-Match: W/"datetime'2026-11-21T01%3A57%3A01.3113092Z'"

{"PartitionKey":"p","RowKey":"2","A":2}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

PATCH http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%273%27) HTTP/1.1
Content-ID: 3
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
If-Match: W/"datetime'2026-11-21T01%3A57%3A01.3113092Z'"

{"PartitionKey":"p","RowKey":"3","A":3}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

PATCH http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%274%27) HTTP/1.1
Content-ID: 4
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
If-Match: *

{"PartitionKey":"p","RowKey":"4","A":4}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

PUT http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%275%27) HTTP/1.1
Content-ID: 5
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;

{"PartitionKey":"p","RowKey":"5","A":5}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

PATCH http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%276%27) HTTP/1.1
Content-ID: 6
Content-Type: application/json
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;

{"PartitionKey":"p","RowKey":"6","A":6}
--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

DELETE http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%277%27) HTTP/1.1
Content-ID: 7
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
If-Match: W/"datetime'2026-11-21T01%3A57%3A01.3113092Z'"


--changeset_22222222-2222-2222-2222-222222222222
Content-Type: application/http
Content-Transfer-Encoding: binary

DELETE http://127.0.0.1:10002/devstoreaccount1/T(PartitionKey=%27p%27,RowKey=%278%27) HTTP/1.1
Content-ID: 8
Accept: application/json;odata=minimalmetadata
DataServiceVersion: 3.0;
If-Match: *


--changeset_22222222-2222-2222-2222-222222222222--
--batch_11111111-1111-1111-1111-111111111111--
)";

TEST(request_builder, writes_a_group_transaction_as_one_change_set) {
    auto const m = built(transact{"T", every_kind});
    EXPECT_EQ(m.method + " " + m.target, "POST /devstoreaccount1/$batch");
    EXPECT_EQ(header_of(m, "Content-Type"), "multipart/mixed; boundary=batch_11111111-1111-1111-1111-111111111111");
    EXPECT_EQ(header_of(m, "Accept"), "application/json;odata=minimalmetadata");
    EXPECT_EQ(header_of(m, "DataServiceVersion"), "3.0;");
    EXPECT_EQ(m.body, with_crlf(every_kind_on_the_wire));
}

TEST(request_builder, takes_no_more_bytes_for_an_operation_of_a_group_transaction_than_it_says) {
    std::string const name(63, 't');
    for (auto const& at : {emulator_account().endpoint, cosmos()}) {
        capabilities const can{.name = "rest", .transaction_overhead = detail::transaction_overhead_at(at)};
        for (auto const& o : every_kind) {
            std::vector<write_operation> const once{o}, twice{o, o};
            auto const one = built(transact{name, once}, at).body.size();
            EXPECT_LE(built(transact{name, twice}, at).body.size() - one, transaction_bytes_of(can, name, o));
        }
    }
}

TEST(request_builder, keeps_conditions_and_keys_of_a_group_transaction) {
    std::vector<write_operation> const operations{
        {.kind = write_kind::merge, .partition_key = "it's", .row_key = "100%", .body = "{}", .if_match = "W/\"1\""},
        {.kind = write_kind::upsert_merge, .partition_key = "it's", .row_key = "b", .body = "{}"}};
    auto const body = built(transact{"T", operations}, {{"https", "acc.example", "443"}, ""}).body;
    EXPECT_THAT(body,
                HasSubstr("PATCH https://acc.example/T(PartitionKey=%27it%27%27s%27,RowKey=%27100%25%27) HTTP/1.1"));
    EXPECT_THAT(body, HasSubstr("DataServiceVersion: 3.0;\r\nIf-Match: W/\"1\"\r\n\r\n{}\r\n"));
    EXPECT_THAT(body, HasSubstr("RowKey=%27b%27) HTTP/1.1\r\nContent-ID: 2\r\nContent-Type: application/json"));
}

TEST(request_builder, tunnels_merges_of_a_group_transaction_at_cosmos) {
    std::vector<write_operation> const operations{
        {.kind = write_kind::merge, .partition_key = "p", .row_key = "r", .body = "{}", .if_match = "*"}};
    auto const body = built(transact{"T", operations}, cosmos()).body;
    EXPECT_THAT(body, HasSubstr("POST https://acc.table.cosmos.azure.com/T(PartitionKey=%27p%27,RowKey=%27r%27)"));
    EXPECT_THAT(body, HasSubstr("X-HTTP-Method: MERGE\r\nIf-Match: *\r\n"));
    EXPECT_THAT(body, Not(HasSubstr("PATCH")));
    EXPECT_THAT(body, Not(HasSubstr("Content-ID")));
}

// --- policies, properties, statistics --------------------------------------------------------------------------------

TEST(request_builder, lists_tables_whose_names_begin_alike) {
    EXPECT_EQ(target(list_tables{.top = 5, .prefix = "Log2026"}),
              "/Tables?$filter=TableName%20ge%20%27Log2026%27%20and%20TableName%20lt%20%27Log2026%7B%27&$top=5");
}

TEST(request_builder, asks_for_what_is_said_in_xml) {
    EXPECT_EQ(target(get_access_policies{"People"}), "/People?comp=acl");
    EXPECT_EQ(target(get_service_properties{}), "/?restype=service&comp=properties");
    EXPECT_EQ(target(get_service_statistics{}), "/?restype=service&comp=stats");
    auto const m = built(get_access_policies{"People"});
    EXPECT_EQ(m.method, "GET");
    EXPECT_EQ(header_of(m, "Accept"), "application/xml");
    EXPECT_EQ(header_of(m, "DataServiceVersion"), "(absent)");
    EXPECT_EQ(header_of(m, "MaxDataServiceVersion"), "(absent)");
    EXPECT_EQ(header_of(m, "Content-Type"), "(absent)");
}

TEST(request_builder, sends_policies_and_properties_as_xml) {
    std::vector<access_policy> const policies{{.id = "a"}};
    auto const policy_message = built(set_access_policies{"People", policies});
    EXPECT_EQ(policy_message.method, "PUT");
    EXPECT_EQ(policy_message.target, "/devstoreaccount1/People?comp=acl");
    EXPECT_EQ(header_of(policy_message, "Content-Type"), "application/xml");
    EXPECT_THAT(policy_message.body, HasSubstr("<Id>a</Id>"));
    service_properties const properties{.cors = std::vector<cors_rule>{}};
    auto const property_message = built(set_service_properties{&properties});
    EXPECT_EQ(property_message.method, "PUT");
    EXPECT_EQ(property_message.target, "/devstoreaccount1/?restype=service&comp=properties");
    EXPECT_THAT(property_message.body, HasSubstr("<Cors/>"));
}

}  // namespace
