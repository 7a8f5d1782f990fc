// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/legacy_keys.hpp"

#include "support/answers.hpp"
#include "support/hex.hpp"
#include "support/vectors.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tablemap;
using test::failed_with;
using test::hex;

bytes counted(int from, std::size_t size) {
    bytes b(size);
    for (auto& x : b) x = static_cast<std::byte>(from++);
    return b;
}

bytes base64(std::string_view text) {
    bytes b;
    if (!detail::parse_base64(text, b)) throw std::invalid_argument{"no base64"};
    return b;
}

/// Content keys that were wrapped by OpenSSL through Python's `cryptography`.
struct wrapped_key {
    char const* algorithm;
    char const* base64;
};

constexpr wrapped_key symmetric[] = {
    {"A128KW", "X+2nOi/Fck9AGKxwXYscZn8F2NUi6yTDWYdfr0+OIra9k3muooUWCA=="},
    {"A192KW", "U1Et5kVQud6eY4WyBk7mHnujEJxp8PPw9JCN5iRtr3nwK/WOKqUWjA=="},
    {"A256KW", "C39XATKWENRbLHDRNt4RmCeYYf3TMsv2GfZQ77k1h591eL1YPFOU2g=="},
};

constexpr wrapped_key asymmetric[] = {
    {"RSA-OAEP", "ofUfSjlgskQCw2CcALwRwiWIQe4J5QoAlgNuagiJ5dI2wPx7vmbezruMr9K5umb+YdJSjQmGM3dtGNBBvgdNMefXklI7CQppmIKd"
                 "ijrQJ7FH1d2QGn/FofgRxdIaL5ccooRzsGWFibF/fstFZ//RacjFAav8UO2HmLuTharqCwpHcF1WmsFsY2kIs5wXtIkubsj/IDgm"
                 "lRyh1lGm0P7eLG+aGGwpkgvmnyqD/ndnhg2j9KsBLorlTBciFqgfhQCrUTsrXRGJ57VlaCL4P8tysb0Kyfezp4mnK3n4XUZqcRKz"
                 "NIYbRo0ol4sYRciw4t16UdEUPDn2d7CugrUEir+Jog=="},
    {"RSA-OAEP-256",
     "kgYRYTra6SH36HKGZv+DtBywlo269ifcsmZxFUhwO/wJL8mKOVvrem6BEIM9YhrbPo4mbGibNj3rf7ueP7tgKVmcnA+9TyVS/PNh"
     "eWwnWM4sQ2a+cNFgmc+VxxO4mb7fhHu/V+QmUu9FvsTC24Nf9P6yd8FkWbeqbbXqrBVDRbUBvFTHJd6A2/qbO9LIDI+hPGX8THn0"
     "ftAAV8aLuSI/8z3PYvG50ncLSyJGWu1q+66nMYU1hNCrbidp0wk6YVgOjylyGrJfv+L6bIZFox+irmGlf/QnIxkm1pKetxCqdeid"
     "Rbsy99Sq85VGBzjT0r4doEHMA6jUW5FXPeA6LTCKsw=="},
    {"RSA1_5", "o8f+BbaT6OEpudRfLIk/qe2J/jUhndVTMl1DorQycDJd2+O2jhUtypuDoXYvg7kGSMtKvzWRZcDGAfAIjEb+WLl46/Buyv+MRFQR"
               "sf5FUS/sIYxv8mA4uIOr29Bfp9U1iC/UQdOJpdLNXtCeqhXEmf6cGz6X9Ig5Grqp5O+aSSwHYNWSuua4C70nclqEORI0a4630UhP"
               "4ggva6Q449GogReosQtfQ88FKMk2sna7+wLW+AwQN/a4p5sbJqyktfxROz9JVqE1cTDIyYT9GFxDO4ILTnakMjkR/4LlU/NtDmZy"
               "QyttZF9SGNS1S9YrFeSdT9DKzz28g4PiL0ifZ/66MA=="},
};

std::string const content_key = hex(counted(0x80, 32));

TEST(legacy_keys, unwrap_with_symmetric_keys_of_each_size) {
    std::size_t size = 16;
    for (auto const& w : symmetric) {
        legacy_keys keys;
        keys.add("local:key", counted(0, size));
        EXPECT_EQ(hex(*keys.unwrap("local:key", w.algorithm, base64(w.base64))), content_key);
        size += 8;
    }
}

TEST(legacy_keys, use_the_first_256_bits_of_longer_keys) {
    for (std::size_t const size : {48U, 64U}) {
        legacy_keys keys;
        keys.add("local:key", counted(0, size));
        EXPECT_EQ(hex(*keys.unwrap("local:key", "A256KW", base64(symmetric[2].base64))), content_key);
    }
}

TEST(legacy_keys, unwrap_with_rsa) {
    legacy_keys keys;
    keys.add_rsa("local:rsa", test::read_vectors("legacy_rsa_key.pem"));
    for (auto const& w : asymmetric)
        EXPECT_EQ(hex(*keys.unwrap("local:rsa", w.algorithm, base64(w.base64))), content_key) << w.algorithm;
}

TEST(legacy_keys, say_of_all_that_does_not_unwrap_the_same) {
    legacy_keys keys;
    keys.add("local:key", counted(0, 32));
    keys.add("local:other", counted(1, 32));
    keys.add("local:short", counted(0, 16));
    keys.add_rsa("local:rsa", test::read_vectors("legacy_rsa_key.pem"));
    auto const wrapped = base64(symmetric[2].base64);
    auto const first = keys.unwrap("local:other", "A256KW", wrapped);
    ASSERT_TRUE(failed_with(first, library_errc::unreadable_legacy_row));
    for (auto const& again : {
             keys.unwrap("local:key", "A128KW", wrapped),
             keys.unwrap("local:key", "RSA-OAEP", wrapped),
             keys.unwrap("local:key", "", wrapped),
             keys.unwrap("local:key", "A256KW", {}),
             keys.unwrap("local:short", "A256KW", wrapped),
             keys.unwrap("local:rsa", "A256KW", wrapped),
             keys.unwrap("local:rsa", "RSA-OAEP", wrapped),
             keys.unwrap("local:rsa", "RSA-OAEP", base64(asymmetric[1].base64)),
         })
        EXPECT_TRUE(again.error() == first.error()) << again.error().what();
}

TEST(legacy_keys, name_an_unknown_key_unless_it_is_no_text_for_a_log) {
    legacy_keys const keys;
    auto const unknown = keys.unwrap("https://hr.vault/1", "A256KW", {});
    ASSERT_TRUE(failed_with(unknown, library_errc::unknown_encryption_key));
    EXPECT_NE(std::string{unknown.error().what()}.find("'https://hr.vault/1'"), std::string::npos);
    EXPECT_EQ(std::string{keys.unwrap("a\nb", "A256KW", {}).error().what()}.find("a\nb"), std::string::npos);
}

TEST(legacy_keys, ask_the_function_for_keys_that_were_not_added) {
    legacy_keys keys;
    keys.add("local:key", counted(0, 32));
    keys.set_unwrap([](std::string_view id, std::string_view algorithm, std::span<std::byte const> b) -> result<bytes> {
        if (id != "vault:1") return fail(transport_errc::cannot_connect);
        return bytes(b.size(), static_cast<std::byte>(algorithm.size()));
    });
    EXPECT_EQ(hex(*keys.unwrap("local:key", "A256KW", base64(symmetric[2].base64))), content_key);
    EXPECT_EQ(hex(*keys.unwrap("vault:1", "mine", counted(0, 2))), "0404");
    EXPECT_TRUE(failed_with(keys.unwrap("vault:2", "mine", {}), transport_errc::cannot_connect));
}

TEST(legacy_keys, refuse_what_is_no_key) {
    legacy_keys keys;
    for (auto const& tried : {
             keys.try_add("local:key", counted(0, 31)), keys.try_add("", counted(0, 32)),
             keys.try_add_rsa("local:rsa", "no PEM"), keys.try_add_rsa("", test::read_vectors("legacy_rsa_key.pem")),
             keys.try_add_rsa("local:rsa", "-----BEGIN PRIVATE KEY-----\n"
                                           "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
                                           "-----END PRIVATE KEY-----\n"),  // of Ed25519
         })
        EXPECT_TRUE(failed_with(tried, library_errc::invalid_encryption_key));
}

}  // namespace
