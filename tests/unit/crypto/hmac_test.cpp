// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/crypto/hmac.hpp"

#include "tablemap/base/bytes.hpp"

#include "support/hex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::bytes_of;
using test::from_hex;
using test::hex;

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

TEST(hmac_key, signs_as_often_as_it_is_asked) {
    hmac_key const key{bytes_of("Jefe")};
    auto const copy = key;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(hex(key.sign(bytes_of("what do ya want for nothing?"))),
                  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        EXPECT_EQ(key.sign(bytes_of("other")), hmac_sha256(bytes_of("Jefe"), bytes_of("other")));
        EXPECT_EQ(copy.sign({}), hmac_sha256(bytes_of("Jefe"), {}));
    }
}

TEST(hmac_key, signs_in_many_threads) {
    hmac_key const key{bytes_of("Jefe")};
    auto const expected = key.sign(bytes_of("message"));
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 2'000; ++i) wrong += key.sign(bytes_of("message")) != expected;
        });
    threads.clear();
    EXPECT_EQ(wrong, 0);
}

bytes counted(int from, int to) {
    bytes b;
    for (; from <= to; ++from) b.push_back(static_cast<std::byte>(from));
    return b;
}

std::string hkdf(bytes const& salt, bytes const& key, bytes const& info, std::size_t size) {
    bytes out(size);
    hkdf_expand(hkdf_extract(salt, key), info, out);
    return hex(out);
}

// Vectors of RFC 5869.
TEST(hkdf, gives_the_keys_of_the_rfc) {
    EXPECT_EQ(hkdf(counted(0x00, 0x0C), bytes(22, std::byte{0x0B}), counted(0xF0, 0xF9), 42),
              "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    EXPECT_EQ(
        hkdf(counted(0x60, 0xAF), counted(0x00, 0x4F), counted(0xB0, 0xFF), 82),
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f"
        "09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
    EXPECT_EQ(hkdf({}, bytes(22, std::byte{0x0B}), {}, 42),
              "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

}  // namespace
