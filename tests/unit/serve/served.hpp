// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rest/http_date.hpp"
#include "rest/shared_key.hpp"
#include "serve/table_service.hpp"
#include "support/served_store.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

/// The protocol without sockets: requests as values, signed by the account's key.
namespace tablemap::test {

using detail::serve::incoming;
using detail::serve::table_service;

class served : public ::testing::Test {
protected:
    static inline ticks const noon = *ticks::parse("2026-11-20T12:00:00Z");

    static storage_account account() {
        return {.name = std::string{served_account}, .credential = shared_key_credential{account_key{served_key()}}};
    }

    static http_request message(std::string method, std::string path, std::string body = {}) {
        http_request r{.method = std::move(method),
                       .target = "/" + std::string{served_account} + path,
                       .headers = {{"Host", "localhost:1"}, {"Accept", "application/json;odata=minimalmetadata"}},
                       .body = std::move(body)};
        if (!r.body.empty()) r.headers.emplace_back("Content-Type", "application/json");
        return r;
    }

    /// Signed by the owner at this time.
    static http_request signed_at(ticks t, http_request r) {
        detail::append_http_date(r.headers.emplace_back("x-ms-date", "").second, t);
        detail::authorize(r, account());
        return r;
    }

    http_response send(http_request r) const { return service.handle({.message = std::move(r), .peer = "127.0.0.1"}); }
    http_response owner(http_request r) const { return send(signed_at(noon, std::move(r))); }
    http_response owner(std::string method, std::string path, std::string body = {}) const {
        return owner(message(std::move(method), std::move(path), std::move(body)));
    }

    static http_request with(http_request r, std::string name, std::string value) {
        r.headers.emplace_back(std::move(name), std::move(value));
        return r;
    }

    void SetUp() override {
        owner("POST", "/Tables", R"({"TableName":"People"})");
        for (auto const* row : {"1", "2", "3"})
            ASSERT_EQ(owner("POST", "/People", R"({"PartitionKey":"p","RowKey":")" + std::string{row} + R"("})").status,
                      201);
    }

    store_ptr const store = store_in_memory();
    table_service const service{
        store, {.account = std::string{served_account}, .key = account_key{served_key()}, .now = [] { return noon; }}};
};

/// The code of a refusal, in the header that has it.
inline std::string code_of(http_response const& r) {
    auto const* const code = r.header("x-ms-error-code");
    return code ? *code : std::string{};
}

inline ::testing::AssertionResult refused_with(http_response const& r, int status, std::string_view code) {
    if (r.status == status && code_of(r) == code && r.body.find(code) != std::string::npos)
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << r.status << " " << r.body;
}

}  // namespace tablemap::test
