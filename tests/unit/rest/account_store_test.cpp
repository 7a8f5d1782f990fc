// SPDX-License-Identifier: Apache-2.0
#include "rest/account_store.hpp"

#include "tablemap/testing/scripted_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using tablemap::testing::scripted_store;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class keeping_receiver final : public receiver {
public:
    void complete(response&& answer) noexcept override { last = std::move(answer); }
    response last{};
};

std::shared_ptr<scripted_store> expecting(std::vector<tablemap::testing::exchange> script) {
    return std::make_shared<scripted_store>(std::move(script));
}

TEST(account_store, sends_each_request_to_its_service) {
    auto const tables = expecting({{"create table people", {}}});
    auto const queues = expecting({{"create queue jobs", {}}, {"clear queue jobs", {}}});
    auto const blobs = expecting({{"create container archive", {}}});
    auto const all = detail::make_account_store(
        tables, [&] { return result<store_ptr>{queues}; }, [&] { return result<store_ptr>{blobs}; });
    for (request const& r : {request{create_table{"people"}}, request{create_queue{"jobs"}},
                             request{clear_messages{"jobs"}}, request{create_container{"archive"}}})
        EXPECT_TRUE(all->execute(r, {}).ok());
    for (auto const& s : {tables, queues, blobs}) EXPECT_THAT(s->complaints(), IsEmpty());
}

TEST(account_store, opens_a_service_with_its_first_request) {
    int opened = 0;
    auto const queues = expecting({{"create queue jobs", {}}, {"clear queue jobs", {}}});
    auto open = [&]() -> result<store_ptr> {
        ++opened;
        return queues;
    };
    auto const all = detail::make_account_store(expecting({}), open, {});
    EXPECT_EQ(opened, 0);
    keeping_receiver to;
    all->async_execute(create_queue{"jobs"}, {}, to);
    EXPECT_TRUE(all->execute(clear_messages{"jobs"}, {}).ok());
    EXPECT_EQ(opened, 1);
}

TEST(account_store, answers_the_failure_to_open_a_service_and_tries_again) {
    int opened = 0;
    auto const blobs = expecting({{"create container archive", {}}});
    auto open = [&]() -> result<store_ptr> {
        if (++opened == 1) return fail(transport_errc::tls_failed, {.reason = "no certificates"});
        return blobs;
    };
    auto const all = detail::make_account_store(expecting({}), {}, open);
    auto const first = all->execute(create_container{"archive"}, {});
    EXPECT_STREQ(first.failure->what(),
                 "create container 'archive': no trusted TLS connection can be made: no certificates");
    EXPECT_TRUE(all->execute(create_container{"archive"}, {}).ok());
}

TEST(account_store, says_that_the_account_lacks_a_service) {
    auto const all = detail::make_account_store(expecting({}), {}, {});
    request const r = put_message{"jobs", "text"};
    auto const answer = all->execute(r, {});
    EXPECT_EQ(answer.failure->code(), library_errc::unsupported);
    EXPECT_THAT(answer.failure->what(), HasSubstr("put message into queue 'jobs'"));
    EXPECT_THAT(answer.failure->what(), HasSubstr("give QueueEndpoint in the connection string"));
    keeping_receiver to;
    request const b = head_blob{"archive", "b"};
    all->async_execute(b, {}, to);
    EXPECT_THAT(to.last.failure->what(), HasSubstr("give BlobEndpoint"));
}

}  // namespace
