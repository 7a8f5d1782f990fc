// SPDX-License-Identifier: Apache-2.0
#include "rest/request_check.hpp"

#include "tablemap/base/error.hpp"
#include "tablemap/edm/service_properties.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace {

using namespace tablemap;
using namespace std::string_literals;
using code = std::optional<std::error_code>;

std::optional<error> refusal(request const& r) {
    auto const ok = detail::check_request(r);
    return ok ? std::nullopt : std::optional{ok.error()};
}

/// The code, or nothing if the request may be sent.
code verdict(request const& r) {
    auto const e = refusal(r);
    return e ? code{e->code()} : std::nullopt;
}

write_operation insertion(std::string_view row, std::string_view partition = "p") {
    return {.kind = write_kind::insert, .partition_key = partition, .row_key = row, .body = "{}"};
}

write_operation erasure(std::string_view if_match, std::string_view body = {}) {
    return {.kind = write_kind::erase, .partition_key = "p", .row_key = "r", .body = body, .if_match = if_match};
}

TEST(request_check, lets_good_requests_pass) {
    EXPECT_EQ(verdict(create_table{"abc"}), std::nullopt);
    EXPECT_EQ(verdict(list_tables{.top = 1000}), std::nullopt);
    EXPECT_EQ(verdict(get_entity{"abc", "", "it's 100% \xC3\xA4"}), std::nullopt);
    EXPECT_EQ(verdict(query_page{.table = "abc", .row = {.from = "/\x01"}, .top = 1}), std::nullopt);
    EXPECT_EQ(verdict(write_entity{"abc", insertion("r")}), std::nullopt);
    EXPECT_EQ(verdict(write_entity{"abc", erasure("*")}), std::nullopt);
    EXPECT_EQ(verdict(write_entity{"abc", erasure("W/\"datetime'2021-09-21T00%3A54%3A13.4428552Z'\"")}), std::nullopt);
}

TEST(request_check, refuses_bad_table_names_in_every_request) {
    std::vector<write_operation> const one{insertion("r")};
    for (auto const* name : {"ab", "1abc", "a_bc", "Tables", "", "a')"})
        for (request const& r :
             {request{create_table{name}}, request{delete_table{name}}, request{get_entity{name, "p", "r"}},
              request{query_page{.table = name}}, request{write_entity{name, one[0]}}, request{transact{name, one}}})
            EXPECT_EQ(verdict(r), code{service_errc::invalid_resource_name}) << name;
}

TEST(request_check, refuses_bad_keys_and_names_them) {
    for (auto const& key : {"a/b"s, "a\\b"s, "a#b"s, "a?b"s, "\t"s, "a\0b"s, "\x7F"s, "\xC2\x80"s, "\xC3("s}) {
        auto const by_row = refusal(get_entity{"abc", "p", key});
        ASSERT_TRUE(by_row) << key;
        EXPECT_EQ(by_row->code(), service_errc::invalid_input);
        EXPECT_EQ(by_row->member(), "RowKey");
        EXPECT_EQ(refusal(write_entity{"abc", insertion("r", key)})->member(), "PartitionKey");
    }
}

TEST(request_check, counts_keys_in_utf16) {
    std::string emojis;
    for (int i = 0; i < 256; ++i) emojis += "\xF0\x9F\x98\x80";
    EXPECT_EQ(verdict(get_entity{"abc", emojis, std::string(512, 'k')}), std::nullopt);
    EXPECT_EQ(verdict(get_entity{"abc", emojis + "x", "r"}), code{service_errc::key_value_too_large});
}

TEST(request_check, refuses_page_sizes_outside_1_to_1000) {
    for (std::size_t const top : {0u, 1001u}) {
        EXPECT_EQ(verdict(query_page{.table = "abc", .top = top}), code{service_errc::out_of_range_input});
        EXPECT_EQ(verdict(list_tables{.top = top}), code{service_errc::out_of_range_input});
    }
}

TEST(request_check, refuses_bounds_that_are_no_utf8) {
    EXPECT_EQ(verdict(query_page{.table = "abc", .partition = {.to = "\xC3("}}), code{service_errc::invalid_input});
}

TEST(request_check, never_lets_an_update_become_an_upsert_or_the_reverse) {
    for (auto const kind : {write_kind::replace, write_kind::merge, write_kind::erase}) {
        write_operation o{.kind = kind, .partition_key = "p", .row_key = "r"};
        if (kind != write_kind::erase) o.body = "{}";
        EXPECT_EQ(verdict(write_entity{"abc", o}), code{service_errc::invalid_input});
        o.if_match = "*";
        EXPECT_EQ(verdict(write_entity{"abc", o}), std::nullopt);
    }
    for (auto const kind : {write_kind::insert, write_kind::upsert_replace, write_kind::upsert_merge}) {
        write_operation const o{.kind = kind, .partition_key = "p", .row_key = "r", .body = "{}", .if_match = "*"};
        EXPECT_EQ(verdict(write_entity{"abc", o}), code{service_errc::invalid_input});
    }
}

TEST(request_check, lets_nothing_but_an_etag_into_a_header) {
    for (auto const* bad : {"nonsense", "\"strong\"", "W/\"a\r\nX: y\"", "W/\"a\"b\"", "W/\"a", "**"})
        EXPECT_EQ(verdict(write_entity{"abc", erasure(bad)}), code{service_errc::invalid_input}) << bad;
    EXPECT_EQ(verdict(write_entity{"abc", erasure("W/\"\"")}), code{});
}

TEST(request_check, refuses_bodies_that_are_no_object_on_one_line) {
    for (auto const* bad : {"", "[]", "{", "null", "{}\n", "{\n}", "{\"A\":\"\xC3(\"}"}) {
        write_operation const o{.kind = write_kind::insert, .partition_key = "p", .row_key = "r", .body = bad};
        EXPECT_EQ(verdict(write_entity{"abc", o}), code{service_errc::invalid_input}) << bad;
    }
    EXPECT_EQ(verdict(write_entity{"abc", erasure("*", "{}")}), code{service_errc::invalid_input});
}

TEST(request_check, refuses_no_and_more_than_100_operations) {
    std::vector<std::string> rows;
    std::vector<write_operation> operations;
    for (int i = 0; i < 101; ++i) rows.push_back(std::to_string(i));
    for (auto const& row : rows) operations.push_back(insertion(row));
    EXPECT_EQ(verdict(transact{"abc", operations}), code{service_errc::invalid_input});
    operations.pop_back();
    EXPECT_EQ(verdict(transact{"abc", operations}), std::nullopt);
    EXPECT_EQ(verdict(transact{"abc", {}}), code{service_errc::invalid_input});
}

TEST(request_check, keeps_a_group_transaction_in_one_partition) {
    std::vector<write_operation> const operations{insertion("a"), insertion("b"), insertion("a", "q")};
    auto const e = refusal(transact{"abc", operations});
    EXPECT_EQ(e->code(), service_errc::commands_in_batch_act_on_different_partitions);
    EXPECT_EQ(e->failed_index(), 2u);
}

TEST(request_check, lets_a_group_transaction_write_an_entity_once) {
    std::vector<write_operation> const operations{insertion("a"), insertion("b"), insertion("c"), insertion("b")};
    auto const e = refusal(transact{"abc", operations});
    EXPECT_EQ(e->code(), service_errc::invalid_duplicate_row);
    EXPECT_EQ(e->failed_index(), 3u);
}

TEST(request_check, blames_the_operation_that_is_malformed) {
    std::vector<write_operation> const operations{insertion("a"), insertion("b/c")};
    auto const e = refusal(transact{"abc", operations});
    EXPECT_EQ(e->code(), service_errc::invalid_input);
    EXPECT_EQ(e->failed_index(), 1u);
    EXPECT_EQ(e->member(), "RowKey");
}

TEST(request_check, limits_bodies_to_4_mib) {
    auto const body = "{\"A\":\"" + std::string(3 * 1024 * 1024, 'x') + "\"}";
    auto a = insertion("a"), b = insertion("b");
    a.body = b.body = body;
    std::vector<write_operation> const two{a, b};
    EXPECT_EQ(verdict(write_entity{"abc", a}), std::nullopt);
    EXPECT_EQ(verdict(transact{"abc", two}), code{service_errc::request_body_too_large});
}

TEST(request_check, refuses_a_prefix_that_no_table_name_has) {
    EXPECT_EQ(verdict(list_tables{.prefix = "Log2026"}), std::nullopt);
    for (auto const* prefix : {"1a", "a'b", "a b", "\xC3\xA4"})
        EXPECT_EQ(verdict(list_tables{.prefix = prefix}), code{service_errc::invalid_resource_name}) << prefix;
}

TEST(request_check, refuses_policies_and_properties_beyond_the_limits) {
    std::vector<access_policy> policies(6);
    EXPECT_EQ(verdict(set_access_policies{"abc", policies}), code{service_errc::out_of_range_input});
    EXPECT_EQ(verdict(set_access_policies{"abc", {}}), std::nullopt);
    EXPECT_EQ(verdict(set_access_policies{"a_bc", {}}), code{service_errc::invalid_resource_name});
    EXPECT_EQ(verdict(get_access_policies{"a_bc"}), code{service_errc::invalid_resource_name});
    service_properties properties{.cors = std::vector<cors_rule>(6)};
    EXPECT_EQ(verdict(set_service_properties{&properties}), code{service_errc::out_of_range_input});
}

TEST(request_check, refuses_a_continuation_of_a_secondary_that_is_not_there) {
    continuation const from{"\x01"
                            "1!8!cA--",
                            "1!8!cg--"};
    EXPECT_EQ(verdict(query_page{.table = "abc", .from = &from}), code{library_errc::invalid_cursor});
    EXPECT_EQ(verdict(list_tables{.from = "\x01"
                                          "1!8!cA--"}),
              code{library_errc::invalid_cursor});
}

}  // namespace
