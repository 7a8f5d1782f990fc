// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/redaction.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace {

using tablemap::redacted;

// The key that the emulator's documentation publishes.
std::string const account_key =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
std::string const signature = "bDlWQ4pXr5fEjWnOAWSPGcsH+0q5Zc/e1PSnzHnCtYg=";
std::string const escaped_signature = "bDlWQ4pXr5fEjWnOAWSPGcsH%2B0q5Zc%2Fe1PSnzHnCtYg%3D";
std::string const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJkb24ifQ.c2lnbmF0dXJlIG9mIGl0IGFsbA";

TEST(redaction, leaves_ordinary_text_as_it_is) {
    for (std::string const text :
         {"", "The specified entity already exists.\nRequestId:5d2f0d5e-1002-0000-0000-000000000000",
          "key 'Sales' design= signature SharedKey is refused, the bearer token is missing", "50% of sig = 3",
          "AccountKey must be base64; the access_token has expired", "http://proxy:3128/a@b?c=d@e, mail to don@hr"})
        EXPECT_EQ(redacted(text), text);
}

TEST(redaction, masks_account_keys) {
    EXPECT_EQ(redacted("AccountName=hr;AccountKey=" + account_key + ";TableEndpoint=x"),
              "AccountName=hr;AccountKey=[redacted];TableEndpoint=x");
    EXPECT_EQ(redacted("the key '" + account_key + "' is wrong"), "the key '[redacted]' is wrong");
}

TEST(redaction, masks_signatures_wherever_they_stand) {
    EXPECT_EQ(redacted("GET /t?sv=2019-02-02&sig=" + escaped_signature + "&tn=t HTTP/1.1"),
              "GET /t?sv=2019-02-02&sig=[redacted]&tn=t HTTP/1.1");
    EXPECT_EQ(redacted("url=https%3A%2F%2Fx%3Fsv%3D1%26sig%3D" + signature),
              "url=https%3A%2F%2Fx%3Fsv%3D1%26sig%3D[redacted]");
    EXPECT_EQ(redacted("'" + signature + "' " + escaped_signature), "'[redacted]' [redacted]");
    EXPECT_EQ(redacted("SharedAccessSignature=sv=2019&sig=abc&se=1;x=1"), "SharedAccessSignature=[redacted];x=1");
}

TEST(redaction, masks_what_authorizes_a_request) {
    EXPECT_EQ(redacted("SharedKeyLite hr:" + signature + ", x"), "SharedKeyLite [redacted], x");
    EXPECT_EQ(redacted("bearer " + token + "\nx"), "bearer [redacted]\nx");
    EXPECT_EQ(redacted("Authorization: Basic ZG9u\r\nAccept: x"), "Authorization: [redacted]\r\nAccept: x");
    EXPECT_EQ(redacted(R"({"authorization": "Digest a b"})"), R"({"authorization": "[redacted]"})");
    EXPECT_EQ(redacted("got " + token + "."), "got [redacted]");
}

TEST(redaction, masks_what_a_proxy_is_told) {
    EXPECT_EQ(redacted("Proxy-Authorization: Basic ZG9u\r\nHost: x"), "Proxy-Authorization: [redacted]\r\nHost: x");
    EXPECT_EQ(redacted("via http://don:s@cret@proxy:3128/x"), "via http://[redacted]@proxy:3128/x");
}

TEST(redaction, masks_short_secrets_by_their_names) {
    EXPECT_EQ(redacted("AccountKey = short; x"), "AccountKey = [redacted]; x");
    EXPECT_EQ(redacted(R"({"AccountKey": "short", "access_token" : "t"})"),
              R"({"AccountKey": "[redacted]", "access_token" : "[redacted]"})");
    EXPECT_EQ(redacted("AZURE_CLIENT_SECRET=short x"), "AZURE_CLIENT_SECRET=[redacted] x");
}

TEST(redaction, masks_signatures_that_are_encoded_twice) {
    EXPECT_EQ(redacted("u=x%253Fsv%253D1%2526sig%253Dshort%25252B x"), "u=x%253Fsv%253D1%2526sig%253D[redacted] x");
    EXPECT_EQ(redacted("'bDlWQ4pXr5fEjWnOAWSPGcsH%252B0q5Zc%252Fe1PSnzHnCtYg%253D'"), "'[redacted]'");
}

// The service's own words, with another signature.
TEST(redaction, masks_the_signature_that_the_service_repeats) {
    EXPECT_EQ(
        redacted("The MAC signature found in the HTTP request '" + signature +
                 "' is not the same as any computed signature. Server used following string to sign: 'Fri, 20 Nov "
                 "2026 00:00:00 GMT\n/hr/people'."),
        "The MAC signature found in the HTTP request '[redacted]' is not the same as any computed signature. Server "
        "used following string to sign: 'Fri, 20 Nov 2026 00:00:00 GMT\n/hr/people'.");
}

TEST(redaction, masks_secrets_behind_a_per_cent_sign_that_begins_no_escape) {
    EXPECT_EQ(redacted("at 100% sig=short"), "at 100% sig=[redacted]");
    EXPECT_EQ(redacted("%sig=short %2 AccountKey=short %"), "%sig=[redacted] %2 AccountKey=[redacted] %");
}

TEST(redaction, takes_linear_time_whatever_a_text_repeats) {
    for (auto const* const piece : {"%41", "eyJ%41", "%2525", "sig", "bearer ", "://", "accountkey ", "eyJ-", "=%3d"}) {
        std::string text;
        while (text.size() < 64 * 1024) text += piece;
        auto const begin = std::clock();
        static_cast<void>(redacted(text));
        EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC) << piece;
    }
}

TEST(redaction, finds_a_token_behind_what_only_begins_like_one) {
    EXPECT_EQ(redacted("eyJ-eyJ%41eyJ eyJhbGciOiJub25lIn0.e30.x"), "eyJ-eyJ%41eyJ [redacted]");
}

}  // namespace
