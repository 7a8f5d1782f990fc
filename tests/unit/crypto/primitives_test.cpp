// SPDX-License-Identifier: Apache-2.0
#include "crypto/primitives.hpp"

#include "support/hex.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>

namespace {

using namespace tablemap;
using namespace tablemap::detail;
using test::bytes_of;
using test::from_hex;
using test::hex;

bytes without_last(bytes b) { return b.pop_back(), b; }
bytes with_flipped_bit(bytes b, std::size_t bit) {
    b[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    return b;
}

/// Case 16 of McGrew and Viega, The Galois/Counter Mode of Operation.
struct gcm_vector {
    bytes key = from_hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
    bytes nonce = from_hex("cafebabefacedbaddecaf888");
    bytes associated = from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    bytes plain = from_hex("d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                           "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
    bytes cipher = from_hex("522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                            "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662");
    bytes tag = from_hex("76fc6ece0f4e1768cddf8853bb2d551b");

    aes_256_gcm::key k() const { return std::span{key}.first<32>(); }
    aes_256_gcm::nonce n() const { return std::span{nonce}.first<12>(); }

    bool opens(aes_256_gcm const& gcm, bytes& out) const {
        out.assign(cipher.size(), std::byte{0xEE});
        return gcm.open(k(), n(), associated, cipher, std::span{tag}.first<16>(), out);
    }
};

TEST(aes_256_gcm, gives_the_ciphertext_of_the_standard) {
    gcm_vector const v;
    aes_256_gcm const gcm;
    for (int i = 0; i < 3; ++i) {
        bytes out(v.plain.size());
        std::array<std::byte, 16> tag;
        gcm.seal(v.k(), v.n(), v.associated, v.plain, out, tag);
        EXPECT_EQ(hex(out), hex(v.cipher));
        EXPECT_EQ(hex(tag), hex(v.tag));
        ASSERT_TRUE(v.opens(gcm, out));
        EXPECT_EQ(hex(out), hex(v.plain));
    }
}

TEST(aes_256_gcm, opens_nothing_that_was_altered) {
    aes_256_gcm const gcm;
    for (auto const part :
         {&gcm_vector::key, &gcm_vector::nonce, &gcm_vector::associated, &gcm_vector::cipher, &gcm_vector::tag})
        for (std::size_t bit = 0; bit < (gcm_vector{}.*part).size() * 8; ++bit) {
            gcm_vector v;
            v.*part = with_flipped_bit(v.*part, bit);
            bytes out;
            ASSERT_FALSE(v.opens(gcm, out)) << bit;
            ASSERT_EQ(out, bytes(out.size())) << "shows what it is not sure of";
        }
}

TEST(aes_256_gcm, seals_nothing_and_data_alone) {
    gcm_vector const v;
    aes_256_gcm const gcm;
    std::array<std::byte, 16> tag;
    gcm.seal(v.k(), v.n(), {}, {}, {}, tag);
    EXPECT_TRUE(gcm.open(v.k(), v.n(), {}, {}, tag, {}));
    EXPECT_FALSE(gcm.open(v.k(), v.n(), v.associated, {}, tag, {}));
}

// Vectors of RFC 3394.
TEST(aes_key_unwrap, gives_the_keys_of_the_rfc) {
    auto const kek = from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    auto unwrapped = [&](std::size_t size, std::string_view wrapped) {
        auto const key = aes_key_unwrap(std::span{kek}.first(size), from_hex(wrapped));
        return key ? hex(*key) : "nothing";
    };
    EXPECT_EQ(unwrapped(16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"), "00112233445566778899aabbccddeeff");
    EXPECT_EQ(unwrapped(24, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"), "00112233445566778899aabbccddeeff");
    EXPECT_EQ(unwrapped(32, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"), "00112233445566778899aabbccddeeff");
    EXPECT_EQ(unwrapped(32, "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"),
              "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f");
}

TEST(aes_key_unwrap, gives_nothing_for_another_key_or_other_bytes) {
    auto const kek = from_hex("000102030405060708090a0b0c0d0e0f");
    auto const wrapped = from_hex("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5");
    EXPECT_FALSE(aes_key_unwrap(with_flipped_bit(kek, 5), wrapped));
    EXPECT_FALSE(aes_key_unwrap(without_last(kek), wrapped));
    EXPECT_FALSE(aes_key_unwrap(kek, without_last(wrapped)));
    EXPECT_FALSE(aes_key_unwrap(kek, {}));
    for (std::size_t bit = 0; bit < wrapped.size() * 8; ++bit)
        EXPECT_FALSE(aes_key_unwrap(kek, with_flipped_bit(wrapped, bit)));
}

// The first block is that of NIST SP 800-38A, F.2.5; the second, of padding, was made by `openssl enc`.
TEST(aes_256_cbc_decrypt, decrypts_and_takes_off_the_padding) {
    auto const key = from_hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    auto const iv = from_hex("000102030405060708090a0b0c0d0e0f");
    auto const data = from_hex("f58c4c04d6e5f1ba779eabfb5f7bfbd6485a5c81519cf378fa36d42b8547edc0");
    EXPECT_EQ(hex(aes_256_cbc_decrypt(key, iv, data).value_or(bytes{})), "6bc1bee22e409f96e93d7e117393172a");
    EXPECT_FALSE(aes_256_cbc_decrypt(key, iv, std::span{data}.first(16))) << "its end is no padding";
    EXPECT_FALSE(aes_256_cbc_decrypt(key, iv, without_last(data)));
    EXPECT_FALSE(aes_256_cbc_decrypt(key, iv, {}));
    EXPECT_FALSE(aes_256_cbc_decrypt(without_last(key), iv, data));
    EXPECT_FALSE(aes_256_cbc_decrypt(key, without_last(iv), data));
}

TEST(random_bytes, differ) {
    std::array<std::byte, 16> a{};
    std::array<std::byte, 16> b{};
    fill_random(a);
    fill_random(b);
    EXPECT_NE(hex(a), hex(b));
}

TEST(equal_in_constant_time, compares_bytes_and_lengths) {
    EXPECT_TRUE(equal_in_constant_time(bytes_of("same"), bytes_of("same")));
    EXPECT_TRUE(equal_in_constant_time({}, {}));
    EXPECT_FALSE(equal_in_constant_time(bytes_of("same"), bytes_of("some")));
    EXPECT_FALSE(equal_in_constant_time(bytes_of("same"), bytes_of("samer")));
}

TEST(wiped, overwrites_at_the_end_of_a_block) {
    auto secret = from_hex("0102030405");
    { wiped const guard{secret}; }
    EXPECT_EQ(secret, bytes(5));
}

TEST(primitives, leave_the_queue_of_openssl_as_it_was) {
    ERR_clear_error();
    bytes out;
    gcm_vector v;
    v.tag = with_flipped_bit(v.tag, 0);
    auto fail_everywhere = [&] {
        EXPECT_FALSE(v.opens(aes_256_gcm{}, out));
        EXPECT_FALSE(aes_key_unwrap(v.key, v.cipher));
        EXPECT_FALSE(aes_256_cbc_decrypt(v.key, v.tag, v.key));
        EXPECT_FALSE(rsa_private_key::from_pem("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"));
    };
    fail_everywhere();
    EXPECT_EQ(ERR_peek_error(), 0U);

    ERR_raise(ERR_LIB_USER, 7);
    fail_everywhere();
    EXPECT_EQ(ERR_GET_REASON(ERR_get_error()), 7);
    EXPECT_EQ(ERR_peek_error(), 0U);
}

}  // namespace
