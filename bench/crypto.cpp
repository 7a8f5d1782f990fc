// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_ring.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "crypto/sealed_value.hpp"

#include <benchmark/benchmark.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <memory>
#include <string>

// One value encrypted or decrypted, beside bare OpenSSL: AES-256-GCM under one key for everything, and under a key that
// OpenSSL's own HKDF derives for each value. Both use a context again and again, fetched algorithms and the same
// associated data.
namespace {

using namespace tablemap;

constexpr detail::sealed_place place{"Employees", "Sales", "empid_000212", "salary"};
constexpr std::size_t place_size = 54;  // as it is derived from and authenticated
constexpr std::size_t front_size = 43;  // of a sealed value whose key's id has 7 characters

key_ring& ring() {
    static auto const made = [] {
        auto r = std::make_unique<key_ring>();
        r->add_current("2026-01", bytes(32, std::byte{7}));
        return r;
    }();
    return *made;
}

/// OpenSSL as a program would use it directly.
class bare {
public:
    void derive() {
        int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
        OSSL_PARAM const parameters[] = {
            OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
            OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest_, 0),
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, root_.data(), root_.size()),
            OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, place_.data(), place_.size()),
            OSSL_PARAM_construct_end()};
        EVP_KDF_CTX_reset(kdf_);
        if (EVP_KDF_derive(kdf_, okm_.data(), okm_.size(), parameters) != 1) std::abort();
    }

    /// Nonce, ciphertext and tag into one buffer.
    void seal(std::string const& plain, std::string& out, bool new_key) {
        out.resize(12 + plain.size() + 16);
        auto* const to = reinterpret_cast<unsigned char*>(out.data());
        bool const done = RAND_bytes(to, 12) == 1 && begin(to, new_key, 1) &&
                          EVP_CipherUpdate(c_, to + 12, &n_, chars(plain), static_cast<int>(plain.size())) == 1 &&
                          EVP_CipherFinal_ex(c_, to + 12 + plain.size(), &n_) == 1 &&
                          EVP_CIPHER_CTX_ctrl(c_, EVP_CTRL_AEAD_GET_TAG, 16, to + 12 + plain.size()) == 1;
        if (!done) std::abort();
    }

    void open(std::string& sealed, std::string& out, bool new_key) {
        out.resize(sealed.size() - 28);
        auto* const from = reinterpret_cast<unsigned char*>(sealed.data());
        auto* const to = reinterpret_cast<unsigned char*>(out.data());
        bool const done = begin(from, new_key, 0) &&
                          EVP_CipherUpdate(c_, to, &n_, from + 12, static_cast<int>(out.size())) == 1 &&
                          EVP_CIPHER_CTX_ctrl(c_, EVP_CTRL_AEAD_SET_TAG, 16, from + 12 + out.size()) == 1 &&
                          EVP_CipherFinal_ex(c_, to, &n_) == 1;
        if (!done) std::abort();
    }

private:
    static unsigned char const* chars(std::string const& text) {
        return reinterpret_cast<unsigned char const*>(text.data());
    }

    bool begin(unsigned char const* nonce, bool new_key, int encrypt) {
        return EVP_CipherInit_ex2(c_, keyed_ ? nullptr : gcm_, new_key || !keyed_ ? okm_.data() : nullptr, nonce,
                                  encrypt, nullptr) == 1 &&
               (keyed_ = true) && EVP_CipherUpdate(c_, nullptr, &n_, place_.data(), place_size + front_size) == 1;
    }

    char digest_[7] = "SHA256";
    std::array<unsigned char, 32> root_{};
    std::array<unsigned char, 48> okm_{};
    std::array<unsigned char, place_size + front_size> place_{};
    EVP_KDF_CTX* kdf_ = EVP_KDF_CTX_new(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
    EVP_CIPHER* gcm_ = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
    EVP_CIPHER_CTX* c_ = EVP_CIPHER_CTX_new();
    bool keyed_ = false;
    int n_ = 0;
};

bare& openssl() {
    static bare one;
    return one;
}

void seal(benchmark::State& state, std::size_t size) {
    bytes const plain(size, std::byte{'x'});
    for (auto _ : state) {
        auto const sealed = detail::seal(*ring().current(), place, 1, plain);
        benchmark::DoNotOptimize(sealed->data());
    }
}

void open(benchmark::State& state, std::size_t size) {
    auto const sealed = *detail::seal(*ring().current(), place, 1, bytes(size, std::byte{'x'}));
    for (auto _ : state) {
        auto const opened = detail::open_sealed(ring(), place, sealed);
        if (!opened) state.SkipWithError("was not opened");
        benchmark::DoNotOptimize(opened->plain.data());
    }
}

template <bool Derive> void bare_seal(benchmark::State& state, std::size_t size) {
    std::string const plain(size, 'x');
    std::string out;
    for (auto _ : state) {
        if (Derive) openssl().derive();
        openssl().seal(plain, out, Derive);
        benchmark::DoNotOptimize(out.data());
    }
}

template <bool Derive> void bare_open(benchmark::State& state, std::size_t size) {
    std::string sealed;
    std::string out;
    openssl().seal(std::string(size, 'x'), sealed, true);
    for (auto _ : state) {
        if (Derive) openssl().derive();
        openssl().open(sealed, out, Derive);
        benchmark::DoNotOptimize(out.data());
    }
}

constexpr std::size_t message_size = 120;  // of a request's string to sign

void sign(benchmark::State& state) {
    detail::hmac_key const key{bytes(64, std::byte{7})};
    bytes const message(message_size);
    for (auto _ : state) benchmark::DoNotOptimize(key.sign(message));
}

void bare_sign(benchmark::State& state) {
    std::array<unsigned char, 64> const key{};
    std::array<unsigned char, message_size> const message{};
    std::array<unsigned char, 32> out;
    unsigned n = 0;
    for (auto _ : state) {
        HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), message.data(), message.size(), out.data(), &n);
        benchmark::DoNotOptimize(out);
    }
}

void blind(benchmark::State& state) {
    bytes const plain(20);
    auto const key = *ring().current();
    for (auto _ : state) benchmark::DoNotOptimize(detail::blind_hash(key, place.table, place.property, 1, plain));
}

[[maybe_unused]] bool const registered = [] {
    for (std::size_t const size : {16U, 100U, 1'024U, 32'768U}) {
        auto add = [&](std::string const& group, char const* name, auto run) {
            benchmark::RegisterBenchmark((group + std::to_string(size) + "/" + name).c_str(), run, size);
        };
        add("crypto_seal_", "sealed_value", seal);
        add("crypto_seal_", "baseline_gcm_one_key", bare_seal<false>);
        add("crypto_seal_", "baseline_gcm_derived_key", bare_seal<true>);
        add("crypto_open_", "sealed_value", open);
        add("crypto_open_", "baseline_gcm_one_key", bare_open<false>);
        add("crypto_open_", "baseline_gcm_derived_key", bare_open<true>);
    }
    benchmark::RegisterBenchmark("crypto_sign/hmac_key", sign);
    benchmark::RegisterBenchmark("crypto_sign/baseline_one_shot", bare_sign);
    benchmark::RegisterBenchmark("crypto_sign/blind_hash", blind);
    return true;
}();

}  // namespace
