// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/hmac.hpp"

#include "tablemap/base/bytes.hpp"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <string_view>

namespace {

using namespace tablemap;
using namespace tablemap::detail;

std::span<std::byte const> bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

std::string hex(sha256_digest const& digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (auto const b : digest) {
        text += digits[std::to_integer<unsigned>(b) >> 4];
        text += digits[std::to_integer<unsigned>(b) & 15];
    }
    return text;
}

// Vectors of FIPS 180-4.
TEST(sha256, gives_the_digests_of_the_standard) {
    EXPECT_EQ(hex(sha256(bytes_of(""))), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(hex(sha256(bytes_of("abc"))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// Vectors of RFC 4231.
TEST(hmac_sha256, gives_the_codes_of_the_rfc) {
    EXPECT_EQ(hex(hmac_sha256(bytes_of("Jefe"), bytes_of("what do ya want for nothing?"))),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(hex(hmac_sha256(bytes(20, std::byte{0x0B}), bytes_of("Hi There"))),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
}

TEST(hmac_sha256, takes_keys_longer_than_a_block) {
    EXPECT_EQ(hex(hmac_sha256(bytes(131, std::byte{0xAA}),
                              bytes_of("Test Using Larger Than Block-Size Key - Hash Key First"))),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(hmac_sha256, takes_an_empty_key_and_no_data) {
    EXPECT_EQ(hex(hmac_sha256({}, {})), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

}  // namespace
