// SPDX-License-Identifier: Apache-2.0
#include "access/sale.hpp"
#include "support/http_server.hpp"

#include "tablemap/tablemap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;

/// A service that takes the token of the current generation, and the source that gives it.
class token_server {
public:
    store_ptr open() {
        token_credential const c{[this](token_request const& r) -> result<access_token> {
            if (++fetching > 1) ++fetched_at_once;
            if (!r.tenant.empty()) ++fetched_by_challenge;
            ++fetched;
            std::this_thread::sleep_for(5ms);
            access_token token{"token-" + std::to_string(generation.load()), ticks::now() + tick_duration{1h}};
            --fetching;
            return token;
        }};
        return tablemap::open("TableEndpoint=http://127.0.0.1:" + std::to_string(server.port()) + "/abc",
                              {.credential = c.over_plain_http()});
    }

    std::atomic<int> generation{1};
    std::atomic<int> fetched{0}, fetching{0}, fetched_at_once{0}, fetched_by_challenge{0};
    http_server server{[this](seen_request const& r) {
        if (r.header("authorization") == "Bearer token-" + std::to_string(generation.load()))
            return reply::answer(204, {}, "ETag: W/\"datetime'2026-11-20T00%3A00%3A00Z'\"\r\n");
        return reply::answer(401, {},
                             "WWW-Authenticate: Bearer authorization_uri=https://login.example/contoso/oauth2/"
                             "authorize resource_id=https://storage.azure.com\r\n");
    }};
};

TEST(tokens, are_fetched_once_for_many_threads_and_again_when_they_are_refused) {
    token_server s;
    table<sale> const t{s.open(), "Sales"};
    std::atomic<int> inserted{0};
    auto const round = [&](int first) {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&, first, i] {
                for (int n = 0; n < 5; ++n)
                    if (auto const r = t.try_insert({"acme", first + 10 * i + n, "x"}))
                        ++inserted;
                    else
                        ADD_FAILURE() << r.error().what();
            });
    };
    round(0);
    EXPECT_EQ(s.fetched, 1);
    s.generation = 2;
    round(1000);
    EXPECT_EQ(inserted, 80);
    EXPECT_EQ(s.fetched, 2);
    EXPECT_EQ(s.fetched_by_challenge, 1);
    EXPECT_EQ(s.fetched_at_once, 0);
}

}  // namespace
}  // namespace tablemap::test
