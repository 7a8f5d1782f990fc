// SPDX-License-Identifier: Apache-2.0
#include "store/page_reading.hpp"

#include "support/operations.hpp"
#include "support/tasks.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {
namespace {

using tablemap::testing::answer_page;
using tablemap::testing::exchange;
using tablemap::testing::response_failure;

std::string const one_row = R"({"value":[{"PartitionKey":"p","RowKey":"r"}]})";
std::string const no_row = R"({"value":[]})";

/// The row keys of all pages, or of those from one on.
detail::task<result<std::string>> read_all(std::optional<continuation> from) {
    auto const call = co_await detail::this_call();
    query_page const what{.table = "T"};
    detail::page_reading pages{what, call.env, std::move(from)};
    std::string keys;
    while (!pages.ended()) {
        auto const rows = co_await pages.next_rows();
        if (!rows) co_return failure{rows.error()};
        for (auto const& row : *rows) keys += row.row_key;
    }
    co_return keys;
}

class page_reading : public script_test {
protected:
    result<std::string> read(std::vector<exchange> script, std::optional<continuation> from = {}) {
        return play(detail::plain_call<std::string>{read_all(std::move(from))}, std::move(script));
    }
};

TEST_F(page_reading, follows_continuations_over_empty_pages) {
    EXPECT_EQ(read({{"query T [*] [*]", answer_page(one_row, continuation{"1", {}})},
                    {"query T [*] [*] from [1] []", answer_page(no_row, continuation{"2", {}})},
                    {"query T [*] [*] from [2] []", answer_page(one_row)}}),
              result<std::string>{"rr"});
}

TEST_F(page_reading, ends_with_the_failure_of_a_page) {
    auto const r = read({{"query", answer_page(one_row, continuation{"1", {}})},
                         {"query", response_failure(service_errc::server_busy)}});
    EXPECT_EQ(r.error().code(), service_errc::server_busy);
}

TEST_F(page_reading, ends_with_a_page_that_is_none) {
    EXPECT_EQ(read({{"query", answer_page("?")}}).error().code(), library_errc::malformed_response);
}

TEST_F(page_reading, ends_when_the_store_repeats_a_continuation) {
    auto const r = read({{"query", answer_page(one_row, continuation{"1", {}})},
                         {"query", answer_page(one_row, continuation{"1", {}})}});
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
}

TEST_F(page_reading, ends_when_the_store_repeats_the_continuation_that_it_began_at) {
    continuation const begin{"1", {}};
    auto const r = read({{"query T [*] [*] from [1] []", answer_page(one_row, begin)}}, begin);
    EXPECT_EQ(r.error().code(), library_errc::malformed_response);
}

}  // namespace
}  // namespace tablemap::test
