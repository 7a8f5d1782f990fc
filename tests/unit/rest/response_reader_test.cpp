// SPDX-License-Identifier: Apache-2.0
#include "rest/response_reader.hpp"

#include "unit/rest/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::HasSubstr;
using service = detail::table_service_kind;
using headers = std::vector<std::pair<std::string, std::string>>;

constexpr auto an_etag = "W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\"";

response read(request const& r, int status, headers h = {}, std::string body = {}, service from = service::azure) {
    return detail::read_response(r, {status, std::move(h), std::move(body)}, a_date(), from);
}

::testing::AssertionResult failed(response const& r, std::error_code code, outcome o) {
    if (r.ok()) return ::testing::AssertionFailure() << "carried out";
    if (r.failure->code() != code) return ::testing::AssertionFailure() << r.failure->what();
    if (r.outcome() != o) return ::testing::AssertionFailure() << "outcome " << static_cast<int>(r.outcome());
    return ::testing::AssertionSuccess();
}

request const a_get = get_entity{"people", "p", "r"};
request const a_query = query_page{.table = "people"};
request const a_list = list_tables{};

write_operation operation(write_kind kind) { return {.kind = kind, .partition_key = "p", .row_key = "r"}; }
request a_write(write_kind kind) { return write_entity{"people", operation(kind)}; }

// --- tables ----------------------------------------------------------------------------------------------------------

TEST(response_reader, takes_tables_made_and_deleted) {
    EXPECT_TRUE(read(create_table{"abc"}, 204).ok());
    EXPECT_TRUE(read(create_table{"abc"}, 201, {}, R"({"TableName":"abc"})").ok());
    EXPECT_TRUE(read(delete_table{"abc"}, 204).ok());
}

TEST(response_reader, reads_a_list_of_tables) {
    auto const r = read(a_list, 200, {{"x-ms-continuation-NextTableName", "1!4!x"}},
                        R"({"odata.metadata":"m","value":[{"TableName":"Aaa"},{"odata.type":"t","TableName":"bbb"}]})");
    EXPECT_EQ(r.service->tables, (std::vector<std::string>{"Aaa", "bbb"}));
    EXPECT_EQ(r.service->next_table, "1!4!x");
    EXPECT_EQ(read(a_list, 200, {{"x-ms-continuation-nexttablename", ""}}, R"({"value":[]})").service->next_table,
              std::nullopt);
}

TEST(response_reader, refuses_a_list_that_is_none) {
    for (auto const* body : {"", "{}", "{\"value\":[{\"TableName\":\"a\"}", "<html/>", R"({"value":[{"Name":"a"}]})",
                             R"({"value":[{"TableName":5}]})", R"({"value":[{"TableName":""}]})"})
        EXPECT_TRUE(failed(read(a_list, 200, {}, body), library_errc::malformed_response, outcome::not_applied))
            << body;
}

// --- entities and pages ----------------------------------------------------------------------------------------------

TEST(response_reader, passes_an_entity_on_as_it_came) {
    std::string const body = R"({"odata.metadata":"m","odata.etag":"W/\"1\"","PartitionKey":"p","RowKey":"r","A":5.0})";
    auto const r = read(a_get, 200, {{"etag", an_etag}}, body);
    EXPECT_TRUE(r.ok());
    EXPECT_EQ(r.body, body);
    EXPECT_EQ(r.etag.text(), an_etag);
}

TEST(response_reader, takes_an_entitys_etag_from_the_body_if_there_is_no_header) {
    EXPECT_EQ(read(a_get, 200, {}, R"({"odata.etag":"W/\"1\"","RowKey":"r"})").etag.text(), "W/\"1\"");
    EXPECT_TRUE(read(a_get, 200, {}, R"({"RowKey":"r"})").etag.empty());
}

TEST(response_reader, puts_an_etag_that_came_in_the_header_alone_where_decoders_look) {
    auto const body = [](std::string text) { return read(a_get, 200, {{"ETag", "W/\"1\""}}, std::move(text)).body; };
    EXPECT_EQ(body(R"({"RowKey":"r"})"), R"({"odata.etag":"W/\"1\"","RowKey":"r"})");
    EXPECT_EQ(body(" { } "), R"( {"odata.etag":"W/\"1\"" } )");
    EXPECT_EQ(body(R"({"RowKey":"r","odata.etag":"W/\"2\""})"), R"({"RowKey":"r","odata.etag":"W/\"2\""})");
}

TEST(response_reader, refuses_entities_and_pages_that_are_cut_off_or_foreign) {
    for (auto const& r : {a_get, a_query})
        for (auto const* body : {"", " ", "{", "}", "{\"value\":[", "<html></html>", "OK", "\x01", "\x01{}"})
            EXPECT_TRUE(
                failed(read(r, 200, {{"ETag", an_etag}}, body), library_errc::malformed_response, outcome::not_applied))
                << body;
}

TEST(response_reader, takes_a_byte_order_mark_off) {
    EXPECT_EQ(read(a_query, 200, {}, "\xEF\xBB\xBF{\"value\":[]}\r\n").body, "{\"value\":[]}\r\n");
}

TEST(response_reader, reads_the_two_continuation_headers_independently) {
    auto const next = [](headers h) { return read(a_query, 200, std::move(h), R"({"value":[]})").next; };
    std::string const p = "x-ms-continuation-NextPartitionKey", r = "X-MS-Continuation-NextRowKey";
    EXPECT_EQ(next({}), std::nullopt);
    EXPECT_EQ(next({{p, "1!4!a"}, {r, "1!4!b"}}), (continuation{"1!4!a", "1!4!b"}));
    EXPECT_EQ(next({{p, "1!4!a"}}), (continuation{"1!4!a", std::nullopt}));
    EXPECT_EQ(next({{p, "1!4!a"}, {r, ""}}), (continuation{"1!4!a", ""}));
    EXPECT_EQ(next({{p, ""}, {r, "x"}}), (continuation{"", "x"}));
    EXPECT_EQ(next({{r, "x"}}), (continuation{"", "x"}));
}

TEST(response_reader, refuses_a_page_that_is_followed_by_itself) {
    continuation const from{"1!4!a", "1!4!b"};
    headers const same{{"x-ms-continuation-NextPartitionKey", "1!4!a"}, {"x-ms-continuation-NextRowKey", "1!4!b"}};
    auto const r = read(query_page{.table = "people", .from = &from}, 200, same, R"({"value":[]})");
    EXPECT_TRUE(failed(r, library_errc::malformed_response, outcome::not_applied));
    EXPECT_THAT(r.failure->what(), HasSubstr("it would never end"));
    EXPECT_TRUE(read(a_query, 200, same, R"({"value":[]})").ok());
    auto const list = read(list_tables{.from = "1!4!x"}, 200, {{"x-ms-continuation-NextTableName", "1!4!x"}},
                           R"({"value":[{"TableName":"a"}]})");
    EXPECT_TRUE(failed(list, library_errc::malformed_response, outcome::not_applied));
}

// --- writes ----------------------------------------------------------------------------------------------------------

TEST(response_reader, reads_the_etag_of_every_write_but_erase) {
    for (auto const kind : {write_kind::insert, write_kind::replace, write_kind::merge, write_kind::upsert_replace,
                            write_kind::upsert_merge})
        EXPECT_EQ(read(a_write(kind), 204, {{"ETag", an_etag}}).etag.text(), an_etag);
    EXPECT_EQ(read(a_write(write_kind::insert), 201, {{"ETag", an_etag}}, "{\"cut off").etag.text(), an_etag);
    auto const erased = read(a_write(write_kind::erase), 204);
    EXPECT_TRUE(erased.ok());
    EXPECT_TRUE(erased.etag.empty());
}

TEST(response_reader, says_that_a_write_without_a_whole_etag_was_applied) {
    for (auto const& h : {headers{}, headers{{"ETag", ""}}, headers{{"ETag", "W/\"datetime'20"}}})
        EXPECT_TRUE(
            failed(read(a_write(write_kind::merge), 204, h), library_errc::malformed_response, outcome::applied));
}

TEST(response_reader, doubts_a_success_that_is_none_of_this_service) {
    EXPECT_TRUE(failed(read(a_write(write_kind::merge), 200, {{"ETag", an_etag}}), library_errc::malformed_response,
                       outcome::in_doubt));
    EXPECT_TRUE(failed(read(create_table{"abc"}, 202), library_errc::malformed_response, outcome::in_doubt));
    EXPECT_TRUE(failed(read(a_get, 204), library_errc::malformed_response, outcome::not_applied));
    EXPECT_TRUE(failed(read(a_get, 206, {}, "{}"), library_errc::malformed_response, outcome::not_applied));
}

TEST(response_reader, follows_no_redirection) {
    for (int const status : {301, 302, 307})
        EXPECT_TRUE(
            failed(read(a_write(write_kind::merge), status), library_errc::malformed_response, outcome::not_applied));
}

// --- errors ----------------------------------------------------------------------------------------------------------

TEST(response_reader, tells_of_a_failure_what_was_tried_where_and_under_which_id) {
    auto const r = read(a_write(write_kind::insert), 409, {{"x-ms-request-id", "id-1"}},
                        R"({"odata.error":{"code":"EntityAlreadyExists","message":{"value":"It exists."}}})");
    EXPECT_TRUE(failed(r, service_errc::entity_already_exists, outcome::not_applied));
    EXPECT_STREQ(r.failure->what(),
                 "insert in table 'people': the entity exists already: there is an entity with these keys");
    EXPECT_EQ(r.failure->details().request_id, "id-1");
    EXPECT_EQ(r.failure->server_text(), "It exists.");
}

TEST(response_reader, believes_only_the_service_about_what_is_stored) {
    for (int const status : {404, 409, 412})
        for (auto const* body : {"<html>Not Found</html>", R"({"message":"no route"})", "not found", ""})
            for (request const& r : {a_get, a_query, a_write(write_kind::insert), request{delete_table{"abc"}}})
                EXPECT_TRUE(failed(read(r, status, {{"Content-Type", "text/html"}}, body),
                                   library_errc::malformed_response, outcome::not_applied))
                    << status << body;
}

TEST(response_reader, says_of_another_server_that_the_endpoint_may_be_wrong) {
    EXPECT_STREQ(
        read(a_get, 404, {}, "<html/>").failure->what(),
        "find in table 'people': the store's response is no entity or page: what answered with HTTP status 404 is "
        "no storage service: check the endpoint");
}

TEST(response_reader, knows_the_service_by_its_code_or_where_it_says_nothing_by_its_headers) {
    auto const not_found = [](headers h, std::string body = {}) {
        return failed(read(a_get, 404, std::move(h), std::move(body)), service_errc::resource_not_found,
                      outcome::not_applied);
    };
    EXPECT_TRUE(not_found({{"x-ms-error-code", "ResourceNotFound"}}, "<html/>"));
    EXPECT_TRUE(not_found({}, R"({"odata.error":{"code":"ResourceNotFound","message":{"value":"m"}}})"));
    EXPECT_TRUE(not_found({{"X-Ms-Request-Id", "1"}}));
    EXPECT_TRUE(not_found({{"x-ms-version", "2019-02-02"}}));
    EXPECT_TRUE(failed(read(a_get, 404, {}, R"({"odata.error":{"code":"Other","message":{"value":"m"}}})"),
                       service_errc::unknown, outcome::not_applied));
}

TEST(response_reader, passes_on_how_long_to_wait) {
    auto const r = read(a_get, 503, {{"Retry-After", "2"}});
    EXPECT_TRUE(failed(r, service_errc::server_busy, outcome::not_applied));
    EXPECT_EQ(r.retry_after, std::chrono::seconds{2});
}

// --- group transactions ----------------------------------------------------------------------------------------------

std::vector<write_operation> const three{operation(write_kind::insert), operation(write_kind::erase),
                                         operation(write_kind::merge)};

std::string part(std::string const& status, std::string const& rest = {}) {
    return "--c\nContent-Type: application/http\n\nHTTP/1.1 " + status + "\n" + rest + "\n\n";
}
std::string etag_line(std::string const& n) { return "ETag: W/\"" + n + "\"\n"; }

response read_batch(std::string const& parts, service from = service::azure) {
    auto const body = "--b\nContent-Type: multipart/mixed; boundary=c\n\n" + parts + "--c--\n--b--\n";
    return read(transact{"people", three}, 202, {{"Content-Type", "multipart/mixed; boundary=b"}}, with_crlf(body),
                from);
}

std::string said(std::string const& code, std::string const& message) {
    return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":")" + message + "\"}}}";
}

TEST(response_reader, reads_an_etag_for_each_operation_of_a_transaction) {
    auto const r = read_batch(part("204 No Content", etag_line("1")) + part("204 No Content") +
                              part("204 No Content", etag_line("3")));
    ASSERT_TRUE(r.ok());
    ASSERT_EQ(r.etags.size(), 3u);
    EXPECT_EQ(r.etags[0].text(), "W/\"1\"");
    EXPECT_TRUE(r.etags[1].empty());
    EXPECT_EQ(r.etags[2].text(), "W/\"3\"");
}

TEST(response_reader, names_the_operation_at_which_a_transaction_failed) {
    auto const r = read_batch(
        part("409 Conflict",
             "Content-Type: application/json\n\n"
             R"({"odata.error":{"code":"EntityAlreadyExists","message":{"value":"2:It exists.\nRequestId:1"}}})"));
    EXPECT_TRUE(failed(r, service_errc::entity_already_exists, outcome::not_applied));
    EXPECT_EQ(r.failure->failed_index(), 2u);
    EXPECT_EQ(r.failure->server_text(), "2:It exists.\nRequestId:1");
}

// As Azure answers where operation 0 met it; recorded with and without the request's Content-ID.
TEST(response_reader, names_the_first_operation_of_a_transaction_where_azure_names_none) {
    auto const failed_at = [](std::string const& status, std::string const& code, service from = service::azure) {
        return read_batch(part(status, "DataServiceVersion: 3.0;\n\n" + said(code, "It is so.\\nRequestId:1")), from)
            .failure->failed_index();
    };
    for (auto const from : {service::azure, service::cosmos}) {
        EXPECT_EQ(failed_at("412 Precondition Failed", "UpdateConditionNotSatisfied", from), 0u);
        EXPECT_EQ(failed_at("409 Conflict", "EntityAlreadyExists", from), 0u);
    }
    EXPECT_EQ(failed_at("404 Not Found", "ResourceNotFound"), 0u);
    EXPECT_EQ(failed_at("404 Not Found", "ResourceNotFound", service::cosmos), std::nullopt);  // the table
    EXPECT_EQ(failed_at("404 Not Found", "TableNotFound"), std::nullopt);
    EXPECT_EQ(failed_at("400 Bad Request", "InvalidInput"), std::nullopt);
}

TEST(response_reader, names_the_operation_whose_content_id_azure_repeats) {
    auto const failed_at = [](std::string const& id, std::string const& message = "It is so.") {
        return read_batch(part("400 Bad Request", "Content-ID: " + id + "\n\n" + said("InvalidInput", message)))
            .failure->failed_index();
    };
    EXPECT_EQ(failed_at("1"), 0u);
    EXPECT_EQ(failed_at("3"), 2u);
    EXPECT_EQ(failed_at("2", "1:It is so."), 1u);
    for (auto const* id : {"0", "4", "", "x", "1x", "-1", "18446744073709551616"})
        EXPECT_EQ(failed_at(id), std::nullopt) << id;
}

TEST(response_reader, names_no_operation_if_the_service_named_none_of_them) {
    for (auto const* message :
         {"It exists.", "3:It exists.", "99:It exists.", "x1:", "1", "", ":", "99999999999999999999999:"}) {
        auto const r = read_batch(part("400 Bad Request", "\n" + said("InvalidInput", message)));
        EXPECT_TRUE(failed(r, service_errc::invalid_input, outcome::not_applied));
        EXPECT_EQ(r.failure->failed_index(), std::nullopt) << message;
    }
    for (auto const* message : {"3:It exists.", "99999999999999999999999:It exists."})
        EXPECT_EQ(read_batch(part("409 Conflict", "\n" + said("EntityAlreadyExists", message))).failure->failed_index(),
                  std::nullopt);
}

TEST(response_reader, names_the_operation_at_fault_whatever_the_code) {
    EXPECT_EQ(read_batch(part("400 Bad Request", "\n" + said("NewCode", "2:m"))).failure->failed_index(), 2u);
}

// Cosmos refuses an entity that is named twice before it looks at the group.
TEST(response_reader, names_the_operation_at_which_a_whole_transaction_was_refused) {
    auto const refused = [](std::string const& message) {
        return read(transact{"people", three}, 400, {}, said("InvalidDuplicateRow", message), service::cosmos);
    };
    EXPECT_TRUE(failed(refused("2:Twice."), service_errc::invalid_duplicate_row, outcome::not_applied));
    EXPECT_EQ(refused("2:Twice.").failure->failed_index(), 2u);
    EXPECT_EQ(refused("3:Twice.").failure->failed_index(), std::nullopt);
    EXPECT_EQ(refused("Twice.").failure->failed_index(), std::nullopt);
    EXPECT_EQ(read(transact{"people", three}, 404, {}, said("ResourceNotFound", "m")).failure->failed_index(),
              std::nullopt);
}

// The service puts an index before whatever it has to say.
TEST(response_reader, blames_no_operation_for_what_is_not_its_fault) {
    for (auto const* code : {"TableNotFound", "ServerBusy", "OperationTimedOut", "AuthorizationPermissionMismatch"}) {
        auto const r = read_batch(part("404 Not Found", "\n"
                                                        R"({"odata.error":{"code":")" +
                                                            std::string{code} + R"(","message":{"value":"0:m"}}})"));
        EXPECT_TRUE(failed(r, service_code_from_name(code), r.outcome()));
        EXPECT_EQ(r.failure->failed_index(), std::nullopt) << code;
    }
}

TEST(response_reader, classifies_a_transaction_by_its_inner_status) {
    EXPECT_TRUE(failed(read_batch(part("503 Busy", "x-ms-error-code: ServerBusy\n")), service_errc::server_busy,
                       outcome::not_applied));
    EXPECT_TRUE(failed(read_batch(part("500 Oops")), service_errc::internal_error, outcome::in_doubt));
    EXPECT_TRUE(failed(read_batch(part("204 No Content", etag_line("1")) + part("412 Precondition Failed")),
                       service_errc::update_condition_not_satisfied, outcome::not_applied));
}

TEST(response_reader, tells_how_long_the_part_of_a_busy_store_asks_to_wait) {
    auto const r = read_batch(part("503 Busy", "x-ms-error-code: ServerBusy\nRetry-After: 3\n"));
    EXPECT_EQ(r.retry_after, std::chrono::seconds{3});
    EXPECT_TRUE(r.failure->retryable());
}

TEST(response_reader, doubts_a_transaction_whose_answer_does_not_fit) {
    auto const good = part("204 No Content", etag_line("1"));
    for (auto const& parts :
         {std::string{}, good, good + good, good + good + good + good, good + good + part("302 Found", etag_line("1"))})
        EXPECT_TRUE(failed(read_batch(parts), library_errc::malformed_response, outcome::in_doubt)) << parts;
    EXPECT_TRUE(failed(read(transact{"people", three}, 202, {}, "garbage"), library_errc::malformed_response,
                       outcome::in_doubt));
}

TEST(response_reader, doubts_a_transaction_whose_answer_has_very_many_parts) {
    std::string parts;
    for (int i = 0; i < 10'000; ++i) parts += "--c\n\nHTTP/1.1 204 No Content\nETag: W/\"1\"\n\n";
    auto const r = read_batch(parts);
    EXPECT_TRUE(failed(r, library_errc::malformed_response, outcome::in_doubt));
    EXPECT_THAT(r.failure->what(), HasSubstr("the transaction has 3 operations, its response more parts"));
}

TEST(response_reader, says_that_a_transaction_without_an_etag_was_applied) {
    auto const r = read_batch(part("204 No Content", etag_line("1")) + part("204 No Content") +
                              part("204 No Content", "ETag: W/\"dat\n"));
    EXPECT_TRUE(failed(r, library_errc::malformed_response, outcome::applied));
}

TEST(response_reader, reads_the_outer_refusal_of_a_transaction) {
    EXPECT_TRUE(failed(read(transact{"people", three}, 413, {},
                            R"({"odata.error":{"code":"RequestBodyTooLarge","message":{"value":"m"}}})"),
                       service_errc::request_body_too_large, outcome::not_applied));
    EXPECT_TRUE(failed(read(transact{"people", three}, 500), service_errc::internal_error, outcome::in_doubt));
}

// --- policies, properties, statistics --------------------------------------------------------------------------------

TEST(response_reader, takes_policies_and_properties_that_were_set) {
    EXPECT_TRUE(read(set_access_policies{"abc", {}}, 204).ok());
    EXPECT_TRUE(read(set_service_properties{}, 202).ok());
    EXPECT_TRUE(failed(read(set_service_properties{}, 200), library_errc::malformed_response, outcome::in_doubt));
}

TEST(response_reader, reads_an_error_in_xml) {
    auto const r =
        read(get_access_policies{"abc"}, 404, {},
             "\xEF\xBB\xBF<?xml version=\"1.0\"?><Error><Code>TableNotFound</Code><Message>m</Message></Error>");
    EXPECT_TRUE(failed(r, service_errc::table_not_found, outcome::not_applied));
    EXPECT_TRUE(failed(read(set_access_policies{"abc", {}}, 400, {{"x-ms-error-code", "InvalidXmlDocument"}}),
                       service_errc::invalid_xml_document, outcome::not_applied));
}

TEST(response_reader, refuses_xml_that_is_none) {
    for (request const& r :
         {request{get_access_policies{"abc"}}, request{get_service_properties{}}, request{get_service_statistics{}}})
        EXPECT_TRUE(failed(read(r, 200, {}, "{\"value\":[]}"), library_errc::malformed_response, outcome::not_applied));
}

}  // namespace
