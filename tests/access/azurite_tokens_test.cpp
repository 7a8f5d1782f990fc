// SPDX-License-Identifier: Apache-2.0
#include "access/sale.hpp"
#include "support/azurite.hpp"
#include "support/child_process.hpp"
#include "support/recording.hpp"
#include "support/temp_folder.hpp"

#include "tablemap/tablemap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>

namespace tablemap::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

std::string base64_url(std::string const& text) {
    std::string out;
    detail::append_base64(out, std::as_bytes(std::span{text}));
    for (auto& c : out) c = c == '+' ? '-' : c == '/' ? '_' : c;
    return out.substr(0, out.find('='));
}

std::int64_t seconds_of(ticks t) { return t.time().time_since_epoch() / 1s; }

/// A token as Microsoft Entra ID makes them, for this audience; nobody signed it.
access_token token_for(std::string const& audience) {
    auto const now = ticks::now();
    auto const begin = std::to_string(seconds_of(now - tick_duration{1min}));
    auto const end = now + tick_duration{1h};
    auto const payload = "{\"aud\":\"" + audience + "\",\"iss\":\"https://sts.windows.net/contoso/\",\"iat\":" + begin +
                         ",\"nbf\":" + begin + ",\"exp\":" + std::to_string(seconds_of(end)) + "}";
    return {base64_url("{\"alg\":\"RS256\",\"typ\":\"JWT\"}") + "." + base64_url(payload) + ".c2lnbmF0dXJl", end};
}

class tokens_on_azurite : public ::testing::Test {
protected:
    void SetUp() override {
        if (!azurite::program()) GTEST_SKIP() << "needs the storage emulator: scripts/setup test installs it";
        child_process openssl{{"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                               "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                               certificate}};
        openssl.wait_for_line("\1", 60s);  // until it ends
        emulator = std::make_unique<azurite>(certificate, key);
    }

    store_ptr open_with(std::string const& audience) const {
        return open_recorded(
            "TableEndpoint=https://localhost:" + std::to_string(emulator->port()) + "/devstoreaccount1",
            {.transport = {.ca_file = certificate},
             .credential =
                 token_credential{[=](token_request const&) -> result<access_token> { return token_for(audience); }}});
    }

    temp_folder folder;
    std::string const key = folder.file("key.pem");
    std::string const certificate = folder.file("certificate.pem");
    std::unique_ptr<azurite> emulator;
};

TEST_F(tokens_on_azurite, allow_what_a_key_allows_and_are_refused_with_a_reason) {
    table<sale> const t{open_with("https://storage.azure.com"), fresh_name("Tokens")};
    EXPECT_TRUE(t.create_if_not_exists());
    t.insert({"acme", 1, "anvil"});
    EXPECT_EQ(t.find({"acme", 1})->value.article, "anvil");
    transaction group = t.transaction();
    group.insert(sale{"acme", 2, "bellows"});
    group.commit();

    table<sale> const stranger{open_with("https://graph.microsoft.com"), t.name()};
    auto const e = stranger.try_find({"acme", 1}).error();
    EXPECT_EQ(e.kind(), error_kind::denied);
    EXPECT_THAT(e.what(), HasSubstr("account 'devstoreaccount1' did not accept the access token"));
    EXPECT_TRUE(t.delete_if_exists());
}

}  // namespace
}  // namespace tablemap::test
