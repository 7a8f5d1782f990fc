// SPDX-License-Identifier: Apache-2.0
#include "rest/refusal_reader.hpp"

#include "unit/rest/fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::test;
using std::chrono::milliseconds;

request const a_read = get_entity{"people", "p", "r"};
request const a_write = write_entity{"people", {.kind = write_kind::insert, .partition_key = "p", .row_key = "r"}};

std::string json(std::string const& code) {
    return R"({"odata.error":{"code":")" + code + R"(","message":{"lang":"en-US","value":"text"}}})";
}

// --- text ------------------------------------------------------------------------------------------------------------

// As the service says it; some proxies repeat all headers.
TEST(refusal, keeps_no_credential_that_the_answer_repeats) {
    std::string const signature = "bDlWQ4pXr5fEjWnOAWSPGcsH+0q5Zc/e1PSnzHnCtYg=";
    for (std::string const& body :
         {"<Error><Code>AuthenticationFailed</Code><Message>The MAC signature found in the HTTP request '" + signature +
              "' is not the same as any computed signature. Server used following string to sign: "
              "'GET'.</Message></Error>",
          "<html>Authorization: SharedKeyLite hr:" + signature + "</html>",
          "{\"odata.error\":{\"code\":\"AuthenticationFailed\",\"message\":{\"value\":\"sig=" + signature + "\"}}}"}) {
        auto const e = detail::read_refusal(a_read, 403, "", body);
        EXPECT_EQ(e.kind(), error_kind::denied);
        EXPECT_EQ(e.server_text().find(signature), std::string::npos) << e.server_text();
        EXPECT_NE(e.server_text().find("[redacted]"), std::string::npos) << e.server_text();
    }
}

// --- codes -----------------------------------------------------------------------------------------------------------

TEST(refusal, takes_its_code_from_the_body_first) {
    auto const e = detail::read_refusal(a_read, 404, "ResourceNotFound", json("TableNotFound"));
    EXPECT_EQ(e.code(), service_errc::table_not_found);
    EXPECT_EQ(e.server_text(), "text");
}

TEST(refusal, takes_its_code_from_the_header_if_the_body_has_none) {
    EXPECT_EQ(detail::read_refusal(a_read, 403, "AccountIsDisabled", "").code(), service_errc::account_is_disabled);
    EXPECT_EQ(detail::read_refusal(a_read, 400, "InvalidInput", "<html/>").server_text(), "<html/>");
}

TEST(refusal, takes_its_code_from_the_status_if_nothing_names_one) {
    std::vector<std::pair<int, service_errc>> const codes{{400, service_errc::invalid_input},
                                                          {401, service_errc::invalid_authentication_info},
                                                          {403, service_errc::authorization_failure},
                                                          {404, service_errc::resource_not_found},
                                                          {405, service_errc::method_not_allowed},
                                                          {408, service_errc::operation_timed_out},
                                                          {409, service_errc::entity_already_exists},
                                                          {411, service_errc::missing_content_length_header},
                                                          {413, service_errc::request_body_too_large},
                                                          {412, service_errc::update_condition_not_satisfied},
                                                          {415, service_errc::media_type_not_supported},
                                                          {429, service_errc::too_many_requests},
                                                          {500, service_errc::internal_error},
                                                          {501, service_errc::not_implemented},
                                                          {502, service_errc::internal_error},
                                                          {503, service_errc::server_busy},
                                                          {504, service_errc::operation_timed_out},
                                                          {418, service_errc::unknown}};
    for (auto const& [status, code] : codes) {
        auto const e = detail::read_refusal(a_write, status, "", "");
        EXPECT_EQ(e.code(), code) << status;
        EXPECT_EQ(e.details().reason.substr(0, 32), "the response has HTTP status " + std::to_string(status));
    }
}

TEST(refusal, of_a_conflict_without_code_is_about_what_was_made) {
    EXPECT_EQ(detail::read_refusal(create_table{"t"}, 409, "", "").code(), service_errc::table_already_exists);
    EXPECT_EQ(detail::read_refusal(delete_table{"t"}, 409, "", "").code(), service_errc::unknown);
}

TEST(refusal, keeps_the_name_of_a_code_that_is_not_listed) {
    for (int const status : {404, 409, 412}) {
        auto const e = detail::read_refusal(a_read, status, "", json("SomethingNew"));
        EXPECT_EQ(e.code(), service_errc::unknown);
        EXPECT_EQ(e.server_text(), "SomethingNew: text");
    }
}

TEST(refusal, with_a_code_that_is_not_listed_is_still_told_by_statuses_that_matter) {
    EXPECT_EQ(detail::read_refusal(a_read, 500, "", json("NewFailure")).code(), service_errc::internal_error);
    EXPECT_EQ(detail::read_refusal(a_read, 429, "", json("NewLimit")).code(), service_errc::too_many_requests);
    EXPECT_EQ(detail::read_refusal(a_read, 403, "", json("NewRule")).kind(), error_kind::denied);
    EXPECT_EQ(detail::read_refusal(a_read, 403, "", json("NewRule")).server_text(), "NewRule: text");
    EXPECT_EQ(detail::read_refusal(a_read, 400, "", json("TableHasNoProperties")).kind(), error_kind::invalid_argument);
    EXPECT_EQ(detail::read_refusal(a_read, 413, "", json("NewLimit")).kind(), error_kind::too_large);
    EXPECT_EQ(detail::read_refusal(a_read, 415, "", json("JsonVerboseFormatNotSupported")).kind(),
              error_kind::unsupported);
}

TEST(refusal, says_what_to_do_as_an_embedded_store_does) {
    auto const said = [](request const& r, std::string const& code) {
        return detail::read_refusal(r, 409, "", json(code)).details().reason;
    };
    EXPECT_EQ(said(a_write, "EntityAlreadyExists"), "there is an entity with these keys");
    EXPECT_EQ(said(create_table{"t"}, "TableAlreadyExists"), "use create_if_not_exists if that is fine");
    EXPECT_EQ(said(a_read, "TableNotFound"), "create it with create_if_not_exists, or check its name");
    EXPECT_EQ(said(delete_table{"t"}, "ResourceNotFound"), "there is no such table");
    EXPECT_EQ(said(a_read, "ResourceNotFound"), "");  // the table's own operations know more
}

TEST(refusal, knows_the_names_that_mean_the_same) {
    EXPECT_EQ(detail::read_refusal(a_read, 404, "", json("EntityNotFound")).code(), service_errc::resource_not_found);
    EXPECT_EQ(detail::read_refusal(a_write, 412, "ConditionNotMet", "").code(),
              service_errc::update_condition_not_satisfied);
}

TEST(refusal, never_puts_words_of_the_server_into_what) {
    for (auto const& body : {json("SomethingNew"), json("InvalidInput"), std::string{"text"}})
        EXPECT_EQ(std::string{detail::read_refusal(a_read, 400, "", body).what()}.find("text"), std::string::npos);
}

// --- outcomes --------------------------------------------------------------------------------------------------------

TEST(refusal, of_a_write_tells_what_became_of_it) {
    auto outcome_of = [](int status, std::string const& code) {
        return detail::read_refusal(a_write, status, "", code.empty() ? "" : json(code)).outcome();
    };
    for (int const status : {400, 401, 403, 404, 405, 409, 411, 412, 413, 415, 429, 501, 505})
        EXPECT_EQ(outcome_of(status, ""), outcome::not_applied) << status;
    for (int const status : {408, 500, 502, 503, 504, 599})
        EXPECT_EQ(outcome_of(status, ""), outcome::in_doubt) << status;
    EXPECT_EQ(outcome_of(503, "ServerBusy"), outcome::not_applied);
    EXPECT_EQ(outcome_of(500, "OperationTimedOut"), outcome::in_doubt);
    EXPECT_EQ(outcome_of(500, "InternalError"), outcome::in_doubt);
}

TEST(refusal, of_a_read_leaves_nothing_in_doubt) {
    for (int const status : {408, 500, 502, 503, 504}) {
        auto const e = detail::read_refusal(a_read, status, "", "");
        EXPECT_EQ(e.outcome(), outcome::not_applied) << status;
        EXPECT_TRUE(e.retryable()) << status;
    }
}

// --- waits -----------------------------------------------------------------------------------------------------------

std::optional<milliseconds> wait(std::vector<std::pair<std::string, std::string>> headers) {
    return detail::read_retry_after({503, std::move(headers), ""}, a_date());
}

TEST(retry_after, is_read_in_seconds_and_as_a_date) {
    EXPECT_EQ(wait({{"retry-after", "3"}}), milliseconds{3000});
    EXPECT_EQ(wait({{"Retry-After", " 0 "}}), milliseconds{0});
    EXPECT_EQ(wait({{"Retry-After", "Fri, 20 Nov 2026 00:00:07 GMT"}}), milliseconds{7000});
    EXPECT_EQ(wait({{"Retry-After", "Thu, 19 Nov 2026 00:00:07 GMT"}}), milliseconds{0});
}

TEST(retry_after, is_read_in_milliseconds) {
    EXPECT_EQ(wait({{"x-ms-retry-after-ms", "250"}}), milliseconds{250});
    EXPECT_EQ(wait({{"retry-after-ms", "251"}}), milliseconds{251});
}

TEST(retry_after, is_the_longest_that_is_asked_for) {
    EXPECT_EQ(wait({{"Retry-After", "1"}, {"x-ms-retry-after-ms", "1250"}, {"retry-after-ms", "9"}}),
              milliseconds{1250});
}

TEST(retry_after, that_makes_no_sense_is_ignored_and_a_huge_one_is_cut) {
    for (auto const* text : {"", "soon", "-1", "1.5", "3 s"}) EXPECT_EQ(wait({{"Retry-After", text}}), std::nullopt);
    EXPECT_EQ(wait({{"Retry-After", "99999999999999999999999"}}), std::chrono::hours{24});
    EXPECT_EQ(wait({{"Retry-After", "9999999999"}}), std::chrono::hours{24});
    EXPECT_EQ(wait({{"Retry-After", "Fri, 20 Nov 2099 00:00:00 GMT"}}), std::chrono::hours{24});
    EXPECT_EQ(wait({}), std::nullopt);
}

}  // namespace
