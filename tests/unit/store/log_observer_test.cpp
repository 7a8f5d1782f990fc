// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/log_observer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace tablemap;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class log_observer : public ::testing::Test {
protected:
    std::shared_ptr<observer> at_least(log_level least) {
        return make_log_observer([this](log_level l, std::string_view text) { lines.emplace_back(l, text); }, least);
    }

    log_level level_of(std::error_code code, outcome o = outcome::not_applied) {
        lines.clear();
        at_least(log_level::debug)->operation_done({.error = code, .outcome = o});
        return lines.at(0).first;
    }

    std::vector<std::pair<log_level, std::string>> lines{};
};

TEST_F(log_observer, writes_a_line_for_an_operation) {
    at_least(log_level::debug)
        ->operation_done({.number = 7,
                          .action = "insert",
                          .table = "People",
                          .store = "rest",
                          .server = "hr.table.core.windows.net",
                          .outcome = outcome::applied,
                          .took = 2140us,
                          .requests = 2,
                          .retries = 1,
                          .client_request_id = "mine",
                          .server_request_id = "theirs"});
    EXPECT_THAT(lines,
                ElementsAre(Pair(log_level::info,
                                 "event=operation action=insert table=People store=rest "
                                 "server=hr.table.core.windows.net result=ok outcome=applied took_us=2140 requests=2 "
                                 "retries=1 operation=7 client_request_id=mine request_id=theirs")));
}

TEST_F(log_observer, writes_a_line_for_a_request) {
    at_least(log_level::debug)
        ->request_done({.operation = 7,
                        .action = "get",
                        .table = "People",
                        .store = "rest",
                        .secondary = true,
                        .attempt = 2,
                        .error = service_errc::resource_not_found,
                        .http_status = 404,
                        .bytes_received = 210,
                        .took = 1ms});
    EXPECT_THAT(lines, ElementsAre(Pair(log_level::debug,
                                        "event=request action=get table=People store=rest secondary=true "
                                        "result=ResourceNotFound outcome=not_applied status=404 took_us=1000 attempt=2 "
                                        "sent=0 received=210 operation=7")));
}

TEST_F(log_observer, tells_by_the_level_who_should_look) {
    EXPECT_EQ(level_of({}), log_level::info);
    EXPECT_EQ(level_of({}, outcome::in_doubt), log_level::warning);
    EXPECT_EQ(level_of(service_errc::entity_already_exists), log_level::warning);
    EXPECT_EQ(level_of(library_errc::cancelled), log_level::warning);
    EXPECT_EQ(level_of(library_errc::cancelled, outcome::in_doubt), log_level::error);
    EXPECT_EQ(level_of(service_errc::authentication_failed), log_level::error);
    at_least(log_level::debug)->request_done({.error = service_errc::server_busy});
    EXPECT_EQ(lines.back().first, log_level::warning);
    at_least(log_level::debug)->operation_done({.interrupted = true});
    EXPECT_EQ(lines.back().first, log_level::error);
}

TEST_F(log_observer, makes_no_lines_below_its_level) {
    auto const o = at_least(log_level::warning);
    o->request_done({});
    o->operation_done({});
    EXPECT_THAT(lines, IsEmpty());
}

TEST_F(log_observer, keeps_a_line_one_line) {
    at_least(log_level::debug)
        ->operation_done({.action = "list tables", .message = "a \"b\"\nlevel=info", .client_request_id = "order 7"});
    EXPECT_THAT(lines.at(0).second, HasSubstr(R"(action="list tables")"));
    EXPECT_THAT(lines.at(0).second, HasSubstr(R"(client_request_id="order 7" message="a \"b\" level=info")"));
}

TEST(log_observer_sink, may_throw) {
    auto const o = make_log_observer([](log_level, std::string_view) { throw std::runtime_error{"disk full"}; });
    o->request_done({});
    o->operation_done({});
}

TEST(code_name, is_the_services_own_where_there_is_one) {
    EXPECT_EQ(code_name(service_errc::server_busy), "ServerBusy");
    EXPECT_EQ(code_name(service_errc::unknown), "tablemap.service.unknown");
}

TEST(code_name, is_the_enumerator_of_any_other_code) {
    EXPECT_EQ(code_name(library_errc::cancelled), "tablemap.library.cancelled");
    EXPECT_EQ(code_name(library_errc::invalid_access_signature), "tablemap.library.invalid_access_signature");
    EXPECT_EQ(code_name(store_errc::read_only), "tablemap.store.read_only");
    EXPECT_EQ(code_name(transport_errc::timed_out), "tablemap.transport.timed_out");
}

TEST(code_name, is_a_number_only_for_codes_of_others) {
    for (auto const* area : {&library_category(), &service_category(), &store_category(), &transport_category()}) {
        int v = 1;
        for (; !area->message(v).starts_with("unknown code"); ++v)
            EXPECT_EQ(code_name({v, *area}).find(':'), std::string::npos) << area->message(v);
        EXPECT_EQ(code_name({v, *area}), area->name() + (":" + std::to_string(v)));
    }
    EXPECT_EQ(code_name(std::make_error_code(std::errc::timed_out)).substr(0, 8), "generic:");
}

TEST_F(log_observer, writes_a_line_for_a_pass_of_a_relay) {
    auto const o = at_least(log_level::debug);
    o->outbox_pass_done({.table = "People",
                         .store = "embedded",
                         .applied = 3,
                         .pending = 1,
                         .lag = std::chrono::milliseconds{7},
                         .took = std::chrono::microseconds{42}});
    o->outbox_pass_done({.failed = 1});
    o->outbox_pass_done({.error = service_errc::server_busy, .message = "the store is busy"});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_THAT(lines[0], Pair(log_level::info,
                               "event=outbox table=People store=embedded result=ok took_us=42 lag_us=7000 applied=3 "
                               "failed=0 parked=0 bad_rows=0 pending=1"));
    EXPECT_EQ(lines[1].first, log_level::warning);
    EXPECT_EQ(lines[2].first, log_level::error);
}

TEST_F(log_observer, writes_a_line_for_a_pass_of_an_index_relay) {
    auto const o = at_least(log_level::debug);
    o->index_pass_done({.table = "People",
                        .store = "embedded",
                        .entities = 2,
                        .intents = 3,
                        .written = 2,
                        .erased = 1,
                        .lag = std::chrono::milliseconds{7},
                        .took = std::chrono::microseconds{42}});
    o->index_pass_done({.left = 1});
    o->index_pass_done({.error = service_errc::server_busy, .message = "the store is busy"});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_THAT(lines[0], Pair(log_level::info,
                               "event=indexes table=People store=embedded result=ok took_us=42 lag_us=7000 entities=2 "
                               "intents=3 written=2 erased=1 left=0"));
    EXPECT_EQ(lines[1].first, log_level::warning);
    EXPECT_EQ(lines[2].first, log_level::error);
}

TEST(log_level, has_names) {
    EXPECT_EQ(name_of(log_level::debug), "debug");
    EXPECT_EQ(name_of(log_level::error), "error");
}

}  // namespace
