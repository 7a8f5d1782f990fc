// SPDX-License-Identifier: Apache-2.0
#include "rest/queue_protocol.hpp"

#include "rest/request_builder.hpp"
#include "rest/response_reader.hpp"
#include "unit/rest/fixture.hpp"

#include "tablemap/store/service_response.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// --- requests --------------------------------------------------------------------------------------------------------

http_request built(queue_request const& r) {
    auto const account = emulator_account();
    auto m = detail::build_request(r, {.endpoint = *account.queues, .client_request_id = "an-id", .date = a_date()});
    EXPECT_TRUE(m);
    return m ? *std::move(m) : http_request{};
}

std::string line_of(queue_request const& r) {
    auto const m = built(r);
    return m.method + " " + m.target;
}

std::string body_of(std::string_view text) {
    return R"(<?xml version="1.0" encoding="utf-8"?><QueueMessage><MessageText>)" + std::string{text} +
           "</MessageText></QueueMessage>";
}

TEST(queue_request, about_a_queue_names_it_in_the_path) {
    EXPECT_EQ(text_of(built(create_queue{"tasks"})), "PUT /devstoreaccount1/tasks\n"
                                                     "Accept: application/xml\n"
                                                     "User-Agent: tablemap\n"
                                                     "x-ms-client-request-id: an-id\n"
                                                     "x-ms-version: 2020-10-02\n"
                                                     "x-ms-date: Fri, 20 Nov 2026 00:00:00 GMT\n\n");
    EXPECT_EQ(line_of(delete_queue{"tasks"}), "DELETE /devstoreaccount1/tasks");
    EXPECT_EQ(line_of(count_messages{"tasks"}), "GET /devstoreaccount1/tasks?comp=metadata");
    EXPECT_EQ(line_of(clear_messages{"tasks"}), "DELETE /devstoreaccount1/tasks/messages");
}

TEST(queue_request, to_put_says_the_times_and_carries_the_text) {
    auto const m = built(put_message{"tasks", "a<b", seconds{5}, seconds{60}});
    EXPECT_EQ(m.method + " " + m.target, "POST /devstoreaccount1/tasks/messages?visibilitytimeout=5&messagettl=60");
    EXPECT_EQ(header_of(m, "Content-Type"), "application/xml");
    EXPECT_EQ(m.body, body_of("a&lt;b"));
    EXPECT_EQ(line_of(put_message{"tasks", ""}), "POST /devstoreaccount1/tasks/messages?messagettl=-1");
}

TEST(queue_request, keeps_every_character_of_a_text) {
    EXPECT_EQ(built(put_message{"tasks", " <a>&\r\n\t\xC3\xA9 "}).body, body_of(" &lt;a&gt;&amp;&#xD;\n\t\xC3\xA9 "));
}

TEST(queue_request, to_get_and_peek_says_how_many) {
    EXPECT_EQ(line_of(get_messages{"tasks", 32, seconds{90}}),
              "GET /devstoreaccount1/tasks/messages?numofmessages=32&visibilitytimeout=90");
    EXPECT_EQ(line_of(peek_messages{"tasks", 7}), "GET /devstoreaccount1/tasks/messages?peekonly=true&numofmessages=7");
}

TEST(queue_request, about_a_message_encodes_its_id_and_receipt) {
    EXPECT_EQ(line_of(delete_message{"tasks", "i/d", "a+/=="}),
              "DELETE /devstoreaccount1/tasks/messages/i%2Fd?popreceipt=a%2B%2F%3D%3D");
    auto const m = built(update_message{"tasks", "id", "r", seconds{0}, "new"});
    EXPECT_EQ(m.method + " " + m.target, "PUT /devstoreaccount1/tasks/messages/id?popreceipt=r&visibilitytimeout=0");
    EXPECT_EQ(m.body, body_of("new"));
    EXPECT_THAT(built(update_message{"tasks", "id", "r"}).body, IsEmpty());
}

// --- responses -------------------------------------------------------------------------------------------------------

response answered(queue_request const& r, http_response answer) {
    return detail::read_response(r, std::move(answer), a_date(), {});
}

std::string list(std::string const& messages) {
    return R"(<?xml version="1.0" encoding="utf-8"?><QueueMessagesList>)" + messages + "</QueueMessagesList>";
}

std::string without(std::string text, std::string const& piece) { return text.erase(text.find(piece), piece.size()); }

constexpr auto id = "<MessageId>an-id</MessageId>";
constexpr auto times = "<InsertionTime>Fri, 20 Nov 2026 00:00:00 GMT</InsertionTime>"
                       "<ExpirationTime>Fri, 20 Nov 2026 00:01:00 GMT</ExpirationTime>";
constexpr auto right = "<PopReceipt>a+b=</PopReceipt><TimeNextVisible>Fri, 20 Nov 2026 00:00:30 GMT</TimeNextVisible>";
constexpr auto count = "<DequeueCount>2</DequeueCount>";

std::string message(std::string const& text = "hello") {
    return std::string{"<QueueMessage>"} + id + times + right + count + "<MessageText>" + text +
           "</MessageText></QueueMessage>";
}

std::vector<queue_message> messages(response const& r) {
    EXPECT_TRUE(r.ok()) << (r.failure ? r.failure->what() : "");
    return r.ok() ? r.service->messages : std::vector<queue_message>{};
}

void expect_malformed(response const& r, outcome o = outcome::not_applied) {
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.failure->code(), library_errc::malformed_response);
    EXPECT_EQ(r.outcome(), o);
}

TEST(queue_response, to_create_tells_whether_the_queue_was_there) {
    EXPECT_TRUE(answered(create_queue{"tasks"}, {.status = 201}).service->created);
    EXPECT_FALSE(answered(create_queue{"tasks"}, {.status = 204}).service->created);
}

TEST(queue_response, to_get_holds_all_of_a_message) {
    auto const read =
        messages(answered(get_messages{"tasks"}, {.status = 200, .body = "\xEF\xBB\xBF" + list(message())}));
    queue_message const expected{.id = "an-id",
                                 .receipt = "a+b=",
                                 .text = "hello",
                                 .inserted = a_date(),
                                 .expires = a_date() + seconds{60},
                                 .visible = a_date() + seconds{30},
                                 .dequeue_count = 2};
    EXPECT_EQ(read, std::vector{expected});
}

TEST(queue_response, keeps_every_character_of_a_text) {
    for (auto const& [sent, text] :
         std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                          {"  ", "  "},
                                                          {" a\r\n\tb ", " a\r\n\tb "},
                                                          {"a&#xD;&#10;b&amp;&lt;&gt;", "a\r\nb&<>"},
                                                          {"a<![CDATA[<b>]]>c", "a<b>c"}})
        EXPECT_EQ(messages(answered(get_messages{"tasks"}, {.status = 200, .body = list(message(sent))})).at(0).text,
                  text);
}

TEST(queue_response, may_hold_no_messages) {
    for (auto const* body : {"<QueueMessagesList/>", "<QueueMessagesList></QueueMessagesList>"})
        EXPECT_THAT(messages(answered(get_messages{"tasks"}, {.status = 200, .body = body})), IsEmpty());
}

TEST(queue_response, to_peek_has_no_receipt) {
    auto const body = list(without(message(), right));
    auto const read = messages(answered(peek_messages{"tasks"}, {.status = 200, .body = body}));
    EXPECT_EQ(read.at(0).text, "hello");
    EXPECT_EQ(read.at(0).receipt, "");
}

TEST(queue_response, to_get_with_anything_missing_is_malformed) {
    for (auto const* piece : {id, right, count, "<MessageText>hello</MessageText>", "20 Nov 2026"})
        expect_malformed(answered(get_messages{"tasks"}, {.status = 200, .body = list(without(message(), piece))}));
    for (auto const* body : {"", "<", "<a/>", "<QueueMessagesList>"})
        expect_malformed(answered(get_messages{"tasks"}, {.status = 200, .body = body}));
}

TEST(queue_response, with_more_messages_than_were_asked_for_is_malformed) {
    expect_malformed(answered(get_messages{"tasks", 1}, {.status = 200, .body = list(message() + message())}));
    EXPECT_EQ(messages(answered(get_messages{"tasks", 2}, {.status = 200, .body = list(message() + message())})).size(),
              2u);
}

TEST(queue_response, to_put_has_id_and_receipt_or_is_malformed_and_applied) {
    auto const body = list(std::string{"<QueueMessage>"} + id + times + right + "</QueueMessage>");
    auto const read = messages(answered(put_message{"tasks", "a"}, {.status = 201, .body = body}));
    EXPECT_EQ(read.at(0).receipt, "a+b=");
    for (auto const& bad : {without(body, right), list(""), std::string{}})
        expect_malformed(answered(put_message{"tasks", "a"}, {.status = 201, .body = bad}), outcome::applied);
}

TEST(queue_response, to_update_has_its_receipt_in_headers) {
    http_response answer{
        .status = 204,
        .headers = {{"x-ms-popreceipt", "new"}, {"x-ms-time-next-visible", "Fri, 20 Nov 2026 00:00:30 GMT"}}};
    auto const read = messages(answered(update_message{"tasks", "an-id", "old"}, http_response{answer}));
    EXPECT_EQ(read.at(0).id, "an-id");
    EXPECT_EQ(read.at(0).receipt, "new");
    EXPECT_EQ(read.at(0).visible, a_date() + seconds{30});
    answer.headers.pop_back();
    expect_malformed(answered(update_message{"tasks", "an-id", "old"}, std::move(answer)), outcome::applied);
}

TEST(queue_response, to_count_has_the_number_in_a_header) {
    auto const count_of = [](std::string number) {
        return answered(count_messages{"tasks"},
                        {.status = 200, .headers = {{"x-ms-approximate-messages-count", std::move(number)}}});
    };
    EXPECT_EQ(count_of("12").service->message_count, 12u);
    for (auto const* bad : {"", "-1", "x", "1x", "99999999999999999999999"}) expect_malformed(count_of(bad));
}

// --- refusals --------------------------------------------------------------------------------------------------------

response refusal(queue_request const& r, int status, std::string const& code) {
    return answered(r, {.status = status, .headers = {{"x-ms-error-code", code}, {"x-ms-request-id", "an-id"}}});
}

TEST(queue_response, of_a_refusal_has_the_code_of_the_service) {
    EXPECT_EQ(refusal(get_messages{"tasks"}, 404, "QueueNotFound").failure->code(), service_errc::queue_not_found);
    EXPECT_EQ(refusal(delete_message{"tasks", "id", "r"}, 404, "MessageNotFound").failure->code(),
              service_errc::message_not_found);
    EXPECT_EQ(refusal(delete_message{"tasks", "id", "r"}, 400, "PopReceiptMismatch").failure->code(),
              service_errc::pop_receipt_mismatch);
    EXPECT_EQ(refusal(put_message{"tasks", "a"}, 413, "RequestBodyTooLarge").failure->code(),
              service_errc::message_too_large);
}

TEST(queue_response, of_a_refusal_without_a_code_is_understood_by_its_status) {
    EXPECT_EQ(refusal(create_queue{"tasks"}, 409, "").failure->code(), service_errc::queue_already_exists);
    EXPECT_EQ(refusal(get_messages{"tasks"}, 404, "").failure->code(), service_errc::queue_not_found);
    EXPECT_EQ(refusal(put_message{"tasks", "a"}, 413, "").failure->code(), service_errc::message_too_large);
    EXPECT_EQ(refusal(delete_message{"tasks", "id", "r"}, 404, "").failure->code(), service_errc::resource_not_found);
}

TEST(queue_response, that_a_server_gave_up_leaves_a_put_in_doubt) {
    EXPECT_EQ(refusal(put_message{"tasks", "a"}, 500, "InternalError").outcome(), outcome::in_doubt);
    EXPECT_EQ(refusal(get_messages{"tasks"}, 500, "InternalError").outcome(), outcome::not_applied);
    EXPECT_EQ(refusal(put_message{"tasks", "a"}, 503, "ServerBusy").outcome(), outcome::not_applied);
}

}  // namespace
