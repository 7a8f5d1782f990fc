// SPDX-License-Identifier: Apache-2.0
#include "contract/table_fixture.hpp"

#include "support/observing.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace tablemap::test {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// The same table through a store that is watched.
class observing : public employees_test {
protected:
    void SetUp() override {
        employees_test::SetUp();
        if (shared_store()) watched.emplace(with_observer(shared_store(), seen), table().table());
    }
    bool is_remote() { return the_store().capabilities().remote; }

    std::shared_ptr<keeping_observer> seen = std::make_shared<keeping_observer>();
    std::optional<tablemap::table<employee>> watched{};
};

TEST_P(observing, tells_what_a_request_cost) {
    watched->insert(don());
    ASSERT_THAT(seen->requests, SizeIs(1));
    auto const& r = seen->requests[0];
    EXPECT_GT(r.took.count(), 0);
    EXPECT_GT(r.bytes_sent, 0u);
    EXPECT_EQ(r.http_status, is_remote() ? 204 : 0);
    EXPECT_EQ(r.server, is_remote() ? "127.0.0.1" : "");
    EXPECT_EQ(r.outcome, outcome::applied);
    ASSERT_THAT(seen->operations, SizeIs(1));
    EXPECT_TRUE(seen->operations[0].ok());
}

TEST_P(observing, gives_errors_the_request_ids_of_both_sides) {
    watched->insert(don());
    auto const again = watched->try_insert(don(), {.request_id = "order 7"});
    ASSERT_TRUE(failed_as(again, error_kind::already_exists));
    EXPECT_EQ(again.error().details().client_request_id, is_remote() ? "order 7" : "");
    EXPECT_EQ(again.error().details().request_id.empty(), !is_remote());
    auto const& told = seen->operations.back();
    EXPECT_EQ(told.error, service_errc::entity_already_exists);
    EXPECT_EQ(told.client_request_id, "order 7");
    EXPECT_EQ(told.server_request_id, again.error().details().request_id);
}

TEST_P(observing, gives_requests_an_id_where_the_caller_does_not) {
    if (!is_remote()) GTEST_SKIP() << "only remote stores need ids";
    auto const refused = watched->try_replace_any(don());
    ASSERT_FALSE(refused);
    EXPECT_TRUE(guid::parse(refused.error().details().client_request_id));
}

TEST_P(observing, takes_absence_for_a_success_of_find) {
    EXPECT_FALSE(watched->find("Sales", 1));
    EXPECT_TRUE(seen->operations.back().ok());
    EXPECT_EQ(seen->operations.back().expected, service_errc::resource_not_found);
}

TEST_P(observing, tells_no_key_and_no_value) {
    watched->insert(don());
    EXPECT_FALSE(watched->try_insert(don()));
    for (auto const& e : seen->operations)
        for (auto const text : {e.action, e.table, e.message})
            EXPECT_EQ(text.find("Sales"), std::string_view::npos) << text;
}

TABLEMAP_ON_EVERY_STORE(observing);

}  // namespace
}  // namespace tablemap::test
