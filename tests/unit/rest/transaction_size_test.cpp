// SPDX-License-Identifier: Apache-2.0
#include "support/random.hpp"
#include "unit/rest/fixture.hpp"

#include "rest/request_builder.hpp"
#include "tablemap/detail/wire/writer.hpp"
#include "tablemap/rest/store.hpp"

#include <gmock/gmock.h>

#include <array>
#include <vector>

namespace tablemap::test {
namespace {

/// Sends nothing.
class no_transport final : public transport {
public:
    void send(http_request const&, call_options const&, http_receiver&) override {}
};

capabilities capabilities_for(storage_account account) {
    auto const s =
        value_or_throw(open_rest({.account = std::move(account), .transport = std::make_shared<no_transport>()}));
    return s->capabilities();
}

storage_account cosmos_account() {
    auto a = emulator_account();
    a.endpoint = {{"https", "account.table.cosmos.azure.com", "443"}, ""};
    return a;
}

/// A group of random operations with keys of every kind.
struct random_group {
    explicit random_group(random_source& random) {
        texts.reserve(500);
        auto const keep = [&](std::string s) -> std::string_view { return texts.emplace_back(std::move(s)); };
        auto const partition = keep(random.key_text(40));
        for (auto n = 1 + random.below(100); n > 0; --n) {
            auto const kind = static_cast<write_kind>(random.below(6));
            operations.push_back(
                {.kind = kind,
                 .partition_key = partition,
                 .row_key = keep(random.key_text(60)),
                 .body = kind == write_kind::erase ? "" : keep("{" + std::string(random.below(99), 'x') + "}"),
                 .if_match = !is_conditional(kind) ? ""
                             : random.coin()       ? any_etag
                                                   : "W/\"datetime'2026-11-21T01%3A57%3A01.3113092Z'\""});
        }
    }

    std::vector<std::string> texts{};
    std::vector<write_operation> operations{};
};

TEST(transaction_size, is_never_less_than_what_is_sent_nor_much_more) {
    random_source random;
    for (auto const& account : {emulator_account(), cosmos_account()}) {
        auto const can = capabilities_for(account);
        for (int i = 0; i < 100; ++i) {
            random_group const g{random};
            auto counted = can.transaction_overhead;
            std::size_t keys = 0;
            for (auto const& o : g.operations) {
                counted += transaction_bytes_of(can, "Employees", o);
                keys += o.partition_key.size() + o.row_key.size();
            }
            auto const sent = detail::build_request(transact{"Employees", g.operations}, {account.endpoint, "id", {}});
            ASSERT_TRUE(sent);
            EXPECT_LE(sent->body.size(), counted);
            EXPECT_GE(sent->body.size() + 3 * keys + 200 * (g.operations.size() + 1), counted);
        }
    }
}

TEST(transaction_size, of_more_than_the_service_takes_with_the_frames_is_refused) {
    auto const account = cosmos_account();
    std::string const body(4 * 1024 * 1024 - 100, 'x');
    std::vector<write_operation> const operations{
        {.kind = write_kind::upsert_replace, .partition_key = "p", .row_key = "r", .body = body}};
    auto const r = detail::build_request(transact{"T", operations}, {account.endpoint, "id", {}});
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().code(), service_errc::request_body_too_large);
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("1 operations of this group transaction make 419"));
    EXPECT_THAT(r.error().what(), ::testing::HasSubstr("takes at most 2097152"));
}

}  // namespace
}  // namespace tablemap::test
