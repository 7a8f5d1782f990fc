// SPDX-License-Identifier: Apache-2.0
#include "unit/rest/fixture.hpp"

#include "tablemap/rest/store.hpp"
#include "tablemap/table/table.hpp"
#include "tablemap/testing/fixed_clock.hpp"
#include "tablemap/write/transaction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace tablemap {
namespace {

struct visitor {
    std::string building{};
    std::int32_t badge{};
    std::string name{};
};

}  // namespace

template <> struct mapping<visitor> {
    static constexpr auto partition_key = key(part<&visitor::building>);
    static constexpr auto row_key = key("v_", part<&visitor::badge>);
    static constexpr auto indexes =
        tablemap::indexes(index<"by_name">(key("n_", part<&visitor::name>.escaped())).include<>());
};

namespace test {
namespace {

constexpr auto a_visitor = R"({"PartitionKey":"B","RowKey":"v_1","name":"Al"})";

/// Azure's answer to a group whose first operation met a conflict: neither a number nor, if none was sent, a
/// Content-ID.
std::string refused_group(std::string const& status, std::string const& code, std::string const& content_id) {
    return with_crlf("--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: application/http\n"
                     "Content-Transfer-Encoding: binary\n\nHTTP/1.1 " +
                     status + "\n" + content_id +
                     "DataServiceVersion: 3.0;\nContent-Type: application/json;odata=minimalmetadata\n\n"
                     R"({"odata.error":{"code":")" +
                     code + R"(","message":{"lang":"en-US","value":"It is so.\nRequestId:1"}}})" + "\n--c--\n--b--\n");
}

/// A service at which others are faster: groups meet the refusals, one after the other, and then none.
class busy_service final : public transport {
public:
    void send(http_request const& r, call_options const&, http_receiver& to) override {
        to.complete({r.target.ends_with("/$batch") ? answer_group(r) : answer_read(r), std::nullopt});
    }

    std::deque<std::string> refusals{};
    int reads = 0, groups = 0;

private:
    http_response answer_read(http_request const& r) {
        if (r.target.find("RowKey='v_1'") == std::string::npos || reads++ == 0)
            return {404, {{"x-ms-error-code", "ResourceNotFound"}}, ""};
        return {200, {{"ETag", "W/\"" + std::to_string(reads) + "\""}}, a_visitor};
    }

    http_response answer_group(http_request const& r) {
        ++groups;
        http_response answer{202, {{"Content-Type", "multipart/mixed; boundary=b"}}, {}};
        if (refusals.empty()) {
            for (auto at = r.body.find(" HTTP/1.1"); at != std::string::npos; at = r.body.find(" HTTP/1.1", at + 1))
                answer.body += "--b\n\nHTTP/1.1 204 No Content\nETag: W/\"9\"\n\n";
            answer.body += "--b--\n";
        } else {
            answer.body = std::exchange(refusals.front(), {});
            refusals.pop_front();
        }
        return answer;
    }
};

class lost_races : public ::testing::TestWithParam<char const*> {
protected:
    void SetUp() override {
        service->refusals = {refused_group("409 Conflict", "EntityAlreadyExists", GetParam()),
                             refused_group("412 Precondition Failed", "UpdateConditionNotSatisfied", GetParam()),
                             refused_group("404 Not Found", "ResourceNotFound", GetParam())};
    }

    std::shared_ptr<busy_service> service = std::make_shared<busy_service>();
    store_ptr store = *open_rest({.account = emulator_account(), .transport = service, .now = [] { return a_date(); }});
    tablemap::testing::fixed_clock clock{1};
};

TEST_P(lost_races, upserts_of_a_type_with_an_index_read_again) {
    table<visitor> const visitors{store, "Visitors"};
    auto const stored = visitors.try_upsert_replace({"B", 1, "Bo"}, {.clock = &clock});
    ASSERT_TRUE(stored) << stored.error().what();
    EXPECT_EQ(service->reads, 4);
    EXPECT_EQ(service->groups, 4);
}

TEST_P(lost_races, groups_with_such_upserts_read_again) {
    auto group = table<visitor>{store, "Visitors"}.transaction(clock);
    group.upsert_replace(visitor{"B", 1, "Bo"});
    auto const stored = group.try_commit({.clock = &clock});
    ASSERT_TRUE(stored) << stored.error().what();
    EXPECT_EQ(service->reads, 4);
    EXPECT_EQ(service->groups, 4);
}

INSTANTIATE_TEST_SUITE_P(rest, lost_races, ::testing::Values("", "Content-ID: 1\n"),
                         [](auto const& p) { return *p.param ? "numbered" : "unnumbered"; });

}  // namespace
}  // namespace test
}  // namespace tablemap
