// SPDX-License-Identifier: Apache-2.0
#include "tablemap/rest/store.hpp"

#include "unit/rest/fixture.hpp"
#include "unit/rest/scripted_transport.hpp"

#include "rest/shared_key.hpp"
#include "tablemap/store/service_response.hpp"
#include "tablemap/testing/fixed_clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class keeping_receiver final : public receiver {
public:
    void complete(response&& answer) noexcept override {
        ++count;
        last = std::move(answer);
    }
    response last{};
    int count = 0;
};

class rest_store : public ::testing::Test {
protected:
    void open(storage_account account = emulator_account()) {
        store_ = *open_rest({.account = std::move(account), .transport = wire, .now = [] { return a_date(); }});
    }
    void SetUp() override { open(); }

    void will_answer(int status, std::vector<std::pair<std::string, std::string>> headers = {}, std::string body = {}) {
        wire->answers.push_back({{status, std::move(headers), std::move(body)}, std::nullopt});
    }
    void will_fail(error e) { wire->answers.push_back({{}, std::move(e)}); }

    response ask(request const& r, call_options o = {}) {
        o.clock = &the_clock;
        return store_->execute(r, o);
    }

    std::shared_ptr<scripted_transport> wire = std::make_shared<scripted_transport>();
    tablemap::testing::fixed_clock the_clock{7};
    store_ptr store_;
};

constexpr auto page = "{\"value\":[]}";

TEST_F(rest_store, asks_and_answers) {
    will_answer(200, {{"ETag", "W/\"1\""}}, "{\"PartitionKey\":\"p\"}");
    auto const r = ask(get_entity{"people", "p", "r"});
    ASSERT_TRUE(r.ok());
    EXPECT_EQ(r.etag.text(), "W/\"1\"");
    EXPECT_EQ(r.body, R"({"odata.etag":"W/\"1\"","PartitionKey":"p"})");
    EXPECT_EQ(wire->sent.at(0).target, "/devstoreaccount1/people(PartitionKey='p',RowKey='r')");
}

TEST_F(rest_store, refuses_requests_of_another_service) {
    for (request const& r : {request{create_queue{"jobs"}}, request{get_blob{"archive", "b"}}}) {
        auto const answer = ask(r);
        EXPECT_EQ(answer.failure->code(), library_errc::unsupported);
        EXPECT_THAT(answer.failure->what(), HasSubstr("another service"));
    }
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, signs_what_it_sends_with_the_time_of_its_clock) {
    will_answer(200, {}, page);
    ask(query_page{.table = "people"});
    auto sent = wire->sent.at(0);
    EXPECT_EQ(header_of(sent, "x-ms-date"), "Fri, 20 Nov 2026 00:00:00 GMT");
    EXPECT_EQ(sent.headers.back().first, "Authorization");
    auto const signature = sent.headers.back().second;
    sent.headers.pop_back();
    detail::authorize(sent, emulator_account());
    EXPECT_EQ(sent.headers.back().second, signature);
}

TEST_F(rest_store, waits_for_an_answer_that_comes_later) {
    wire->on_another_thread = true;
    will_answer(200, {}, page);
    EXPECT_EQ(ask(query_page{.table = "people"}).body, page);
}

TEST_F(rest_store, sends_the_callers_request_id_or_one_of_its_own) {
    will_answer(200, {}, page);
    will_answer(200, {}, page);
    ask(query_page{.table = "people"}, {.request_id = "order 7"});
    ask(query_page{.table = "people"});
    EXPECT_EQ(header_of(wire->sent[0], "x-ms-client-request-id"), "order 7");
    EXPECT_TRUE(guid::parse(header_of(wire->sent[1], "x-ms-client-request-id")));
}

TEST_F(rest_store, refuses_a_request_id_that_would_break_the_header) {
    for (auto const& id : {std::string{"a\r\nX: y"}, std::string(1025, 'x'), std::string{"\xC3\xA4"}})
        EXPECT_THAT(ask(query_page{.table = "people"}, {.request_id = id}).failure->what(),
                    EndsWith("cannot be sent over HTTP: call_options::request_id must be at most 1 KiB of visible "
                             "ASCII and blanks"));
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, draws_fresh_boundaries_for_every_transaction) {
    std::vector<write_operation> const one{
        {.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = "*"}};
    for (int i = 0; i < 2; ++i) {
        will_answer(202, {{"Content-Type", "multipart/mixed; boundary=b"}},
                    "--b\n\nHTTP/1.1 204 No Content\n\n--b--\n");
        EXPECT_TRUE(ask(transact{"people", one}).ok());
    }
    auto const first = header_of(wire->sent[0], "Content-Type");
    EXPECT_THAT(first, StartsWith("multipart/mixed; boundary=batch_"));
    EXPECT_NE(first, header_of(wire->sent[1], "Content-Type"));
}

TEST_F(rest_store, sends_nothing_that_the_service_would_refuse) {
    auto const r = ask(get_entity{"people", "a/b", "r"});
    EXPECT_EQ(r.failure->code(), service_errc::invalid_input);
    EXPECT_EQ(r.failure->table(), "people");
    EXPECT_THAT(r.failure->what(), HasSubstr("find in table 'people'"));
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, sends_nothing_after_a_stop_or_behind_the_deadline) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(ask(query_page{.table = "people"}, {.stop = stop.get_token()}).failure->code(), library_errc::cancelled);
    EXPECT_EQ(ask(query_page{.table = "people"}, {.deadline = the_clock.now()}).failure->code(),
              library_errc::deadline_exceeded);
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, passes_on_what_the_transport_says_with_what_was_tried) {
    will_fail(error{library_errc::response_lost, {.reason = "connection reset", .outcome = outcome::in_doubt}});
    auto const r =
        ask(write_entity{"people", {.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = "{}"}});
    EXPECT_EQ(r.failure->code(), library_errc::response_lost);
    EXPECT_EQ(r.outcome(), outcome::in_doubt);
    EXPECT_THAT(r.failure->what(), StartsWith("insert in table 'people': "));
}

TEST_F(rest_store, tries_nothing_twice_itself) {
    will_answer(503);
    EXPECT_EQ(ask(get_entity{"people", "p", "r"}).failure->code(), service_errc::server_busy);
    EXPECT_EQ(wire->sent.size(), 1u);
    EXPECT_GT(store_->context().default_retry.attempts, 1);
}

TEST_F(rest_store, completes_an_asynchronous_request_once_wherever_it_ends) {
    keeping_receiver at_once, refused, stopped;
    will_answer(200, {}, page);
    request const good = query_page{.table = "people"}, bad = get_entity{"x", "p", "r"};
    std::stop_source stop;
    stop.request_stop();
    call_options const plain, ended{.stop = stop.get_token()};
    store_->async_execute(good, plain, at_once);
    store_->async_execute(bad, plain, refused);
    store_->async_execute(good, ended, stopped);
    EXPECT_EQ(at_once.count + refused.count + stopped.count, 3);
    EXPECT_EQ(at_once.last.body, page);
    EXPECT_EQ(refused.last.failure->code(), service_errc::invalid_resource_name);
    EXPECT_EQ(stopped.last.failure->code(), library_errc::cancelled);
}

TEST_F(rest_store, completes_asynchronous_requests_on_the_transports_thread) {
    wire->on_another_thread = true;
    keeping_receiver to;
    will_answer(200, {}, page);
    request const r = query_page{.table = "people"};
    call_options const o;
    store_->async_execute(r, o, to);
    wire->finish();
    EXPECT_EQ(to.count, 1);
    EXPECT_EQ(to.last.body, page);
}

TEST_F(rest_store, says_what_it_can) {
    EXPECT_EQ(store_->capabilities().name, "rest");
    EXPECT_TRUE(store_->capabilities().ordered_results);
    open(*parse_storage_account("AccountName=abc;AccountKey=AQID;TableEndpoint=https://abc.table.cosmos.azure.com"));
    EXPECT_FALSE(store_->capabilities().ordered_results);
    EXPECT_EQ(store_->capabilities().transaction_bytes, 2u * 1024 * 1024);
}

TEST_F(rest_store, needs_an_account_and_a_transport) {
    EXPECT_EQ(open_rest({.account = emulator_account()}).error().code(), library_errc::invalid_connection_string);
    EXPECT_EQ(open_rest({.transport = wire}).error().code(), library_errc::invalid_connection_string);
}

// --- features of some endpoints --------------------------------------------------------------------------------------

TEST_F(rest_store, has_no_statistics_and_says_where_they_are) {
    auto const r = ask(get_service_statistics{});
    EXPECT_EQ(r.failure->code(), library_errc::unsupported);
    EXPECT_THAT(r.failure->what(), HasSubstr("TableSecondaryEndpoint"));
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, that_is_a_secondary_has_statistics_and_takes_no_writes) {
    store_ = *open_rest({.account = emulator_account(), .transport = wire, .is_secondary = true});
    will_answer(200, {},
                "<StorageServiceStats><GeoReplication><Status>live</Status></GeoReplication></StorageServiceStats>");
    EXPECT_EQ(ask(get_service_statistics{}).service->statistics.status, replication_status::live);
    EXPECT_EQ(ask(create_table{"abc"}).failure->code(), library_errc::unsupported);
    EXPECT_EQ(wire->sent.size(), 1u);
}

TEST_F(rest_store, of_cosmos_has_no_policies_and_properties) {
    open(*parse_storage_account(
        "AccountName=abc;AccountKey=AAAA;TableEndpoint=https://abc.table.cosmos.azure.com:443/"));
    for (request const& r : {request{get_access_policies{"abc"}}, request{get_service_properties{}}})
        EXPECT_EQ(ask(r).failure->code(), library_errc::unsupported);
    EXPECT_TRUE(wire->sent.empty());
}

TEST_F(rest_store, reads_policies_and_signs_for_them) {
    will_answer(200, {}, "<SignedIdentifiers><SignedIdentifier><Id>a</Id></SignedIdentifier></SignedIdentifiers>");
    auto const r = ask(get_access_policies{"people"});
    EXPECT_EQ(r.service->policies, (std::vector<access_policy>{{.id = "a"}}));
    EXPECT_TRUE(detail::string_to_sign(wire->sent.at(0), "devstoreaccount1").ends_with("/people?comp=acl"));
}

// --- reports about requests ------------------------------------------------------------------------------------------

TEST_F(rest_store, tells_of_each_request_what_went_over_the_wire) {
    will_answer(200, {{"x-ms-request-id", "theirs"}}, page);
    auto const r = ask(query_page{.table = "people"}, {.request_id = "mine"});
    ASSERT_TRUE(r.trip);
    EXPECT_EQ(r.trip->status, 200);
    EXPECT_EQ(r.trip->client_request_id, "mine");
    EXPECT_EQ(r.trip->request_id, "theirs");
    EXPECT_EQ(r.trip->bytes_received, std::string{page}.size());
    EXPECT_FALSE(r.trip->secondary);
}

TEST_F(rest_store, gives_errors_the_ids_of_both_sides) {
    will_answer(404, {{"x-ms-request-id", "theirs"}});
    auto const said = ask(get_entity{"people", "p", "r"}, {.request_id = "mine"}).failure->details();
    EXPECT_EQ(said.request_id, "theirs");
    EXPECT_EQ(said.client_request_id, "mine");
}

TEST_F(rest_store, gives_errors_without_an_answer_the_id_that_was_sent) {
    will_fail(error{transport_errc::connection_lost});
    auto const lost = ask(get_entity{"people", "p", "r"});
    EXPECT_EQ(lost.failure->details().client_request_id, header_of(wire->sent[0], "x-ms-client-request-id"));
    EXPECT_EQ(lost.trip->status, 0);
}

TEST_F(rest_store, names_the_endpoint_that_could_not_be_reached) {
    auto const failed = [&](error e) {
        will_fail(std::move(e));
        return std::string{ask(get_entity{"people", "p", "r"}).failure->what()};
    };
    EXPECT_THAT(failed(error{transport_errc::cannot_connect, {.reason = "refused"}}),
                EndsWith(": refused (endpoint 127.0.0.1:10002; is the emulator running?)"));
    EXPECT_THAT(failed(error{transport_errc::name_not_found}), EndsWith(": endpoint 127.0.0.1:10002"));
    EXPECT_THAT(failed(error{transport_errc::tls_failed}), HasSubstr("127.0.0.1:10002"));
    EXPECT_THAT(failed(error{transport_errc::connection_lost}), Not(HasSubstr("127.0.0.1")));
}

TEST_F(rest_store, counts_no_bytes_of_a_write_that_was_not_sent) {
    request const insert =
        write_entity{.table = "people", .operation = {.partition_key = "p", .row_key = "r", .body = "{}"}};
    will_fail(error{transport_errc::cannot_connect});
    EXPECT_EQ(ask(insert).trip->bytes_sent, 0u);
    will_fail(error{transport_errc::connection_lost, {.outcome = outcome::in_doubt}});
    EXPECT_GT(ask(insert).trip->bytes_sent, 0u);
}

TEST_F(rest_store, tells_no_round_trip_of_what_never_left) {
    will_fail(error{library_errc::credential_failed});
    EXPECT_FALSE(ask(get_entity{"people", "p", "r"}).trip);
    EXPECT_FALSE(ask(get_entity{"people", "p", "r"}, {.request_id = "a\nb"}).trip);
}

// --- credentials -----------------------------------------------------------------------------------------------------

TEST_F(rest_store, keeps_a_shared_access_signature_out_of_the_operations_of_a_group) {
    auto account = emulator_account();
    account.credential = sas_credential{"sv=2019-02-02&ss=t&sig=secret"};
    open(account);
    std::vector<write_operation> const one{
        {.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .if_match = "*"}};
    will_answer(403);
    auto const r = ask(transact{"people", one});
    EXPECT_EQ(wire->sent.at(0).target, "/devstoreaccount1/$batch?sv=2019-02-02&ss=t&sig=secret");
    EXPECT_THAT(wire->sent.at(0).body, Not(HasSubstr("secret")));
    EXPECT_THAT(r.failure->what(), Not(HasSubstr("secret")));
}

TEST_F(rest_store, tells_a_wrong_key_from_a_wrong_clock) {
    for (auto const* date : {"Fri, 20 Nov 2026 00:00:00 GMT", "Fri, 20 Nov 2026 02:00:00 GMT"})
        will_answer(403, {{"Date", date}, {"x-ms-error-code", "AuthenticationFailed"}});
    auto const key = ask(get_entity{"people", "p", "r"});
    auto const clock = ask(get_entity{"people", "p", "r"});
    EXPECT_THAT(key.failure->what(), HasSubstr("account 'devstoreaccount1' did not accept the signature"));
    EXPECT_THAT(clock.failure->what(), HasSubstr("clock is 120 minutes behind"));
    EXPECT_EQ(clock.failure->kind(), error_kind::denied);
}

TEST_F(rest_store, checks_its_credential) {
    auto const refused = [&](std::optional<credential> c) {
        auto a = emulator_account();
        a.credential = std::move(c);
        auto const s = open_rest({.account = a, .transport = wire});
        return s ? "opened" : std::string{s.error().what()};
    };
    EXPECT_THAT(refused(std::nullopt), HasSubstr("credential is missing"));
    EXPECT_THAT(refused(shared_key_credential{}), HasSubstr("base64"));
    EXPECT_THAT(refused(sas_credential{"sv=1"}), HasSubstr("no 'sig'"));
}

}  // namespace
