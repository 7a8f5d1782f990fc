// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/error.hpp"
#include "tablemap/detail/crypto/hmac.hpp"
#include "crypto/primitives.hpp"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <initializer_list>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

template <auto Free> struct freed_by {
    template <class T> void operator()(T* p) const noexcept { Free(p); }
};
template <class T, auto Free> using owned = std::unique_ptr<T, freed_by<Free>>;

using mac_context = owned<EVP_MAC_CTX, EVP_MAC_CTX_free>;
using cipher_context = owned<EVP_CIPHER_CTX, EVP_CIPHER_CTX_free>;
using key_context = owned<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;

unsigned char* room(std::span<std::byte> data) noexcept { return reinterpret_cast<unsigned char*>(data.data()); }
unsigned char const* chars(std::span<std::byte const> data) noexcept {
    return reinterpret_cast<unsigned char const*>(data.data());
}

/// Removes the errors of a failure from OpenSSL's queue: the next reader would take them for its own.
struct error_mark {
    error_mark() noexcept { ERR_set_mark(); }
    ~error_mark() { ERR_pop_to_mark(); }
    error_mark(error_mark const&) = delete;
    error_mark& operator=(error_mark const&) = delete;
};

void need(bool done, char const* what) {
    if (!done)
        throw error{library_errc::unsupported,
                    {.reason = std::string{"OpenSSL offers no "} + what + ": check its configuration"}};
}

// Fetched once: looking an algorithm up by name costs more than using it.
template <class Owned, class Fetch> auto* fetched(Fetch fetch, char const* name) {
    error_mark const mark;
    static Owned const kept{[&] {
        auto* const p = fetch(nullptr, name, nullptr);
        need(p != nullptr, name);
        return p;
    }()};
    return kept.get();
}

EVP_MD* sha256_method() {
    return fetched<owned<EVP_MD, EVP_MD_free>>([](auto... a) { return EVP_MD_fetch(a...); }, "SHA256");
}

/// Contexts that no call uses, for the next call: making one costs as much as using it. Destroyed with the key that it
/// belongs to.
template <class Context> class spare_contexts {
public:
    using pointer = typename Context::pointer;

    spare_contexts() = default;
    ~spare_contexts() {
        for (auto& s : slots_) Context{s.load(std::memory_order_acquire)};
    }
    spare_contexts(spare_contexts const&) = delete;
    spare_contexts& operator=(spare_contexts const&) = delete;

    Context take() noexcept {
        for (auto& s : slots_)
            if (s.load(std::memory_order_relaxed))
                if (auto* const p = s.exchange(nullptr, std::memory_order_acquire)) return Context{p};
        return {};
    }

    void give_back(Context c) noexcept {
        for (auto& s : slots_) {
            pointer none = nullptr;
            if (s.compare_exchange_strong(none, c.get(), std::memory_order_release, std::memory_order_relaxed))
                return static_cast<void>(c.release());
        }
    }

private:
    std::array<std::atomic<pointer>, 4> slots_{};
};

}  // namespace

// ---- hashes ---------------------------------------------------------------------------------------------------------

sha256_digest sha256(std::span<std::byte const> data) {
    error_mark const mark;
    sha256_digest digest;
    need(EVP_Digest(data.data(), data.size(), room(digest), nullptr, sha256_method(), nullptr) == 1, "SHA256");
    return digest;
}

struct sha256_stream::context {
    owned<EVP_MD_CTX, EVP_MD_CTX_free> md{EVP_MD_CTX_new()};
};

sha256_stream::sha256_stream() : context_(std::make_unique<context>()) {
    error_mark const mark;
    auto& md = context_->md;
    need(md && EVP_DigestInit_ex2(md.get(), sha256_method(), nullptr) == 1, "SHA256");
}

sha256_stream::~sha256_stream() = default;

void sha256_stream::add(std::span<std::byte const> piece) {
    error_mark const mark;
    need(EVP_DigestUpdate(context_->md.get(), piece.data(), piece.size()) == 1, "SHA256");
}

sha256_digest sha256_stream::finish() {
    error_mark const mark;
    sha256_digest digest;
    need(EVP_DigestFinal_ex(context_->md.get(), room(digest), nullptr) == 1, "SHA256");
    return digest;
}

struct hmac_key::contexts {
    mac_context prepared;
    mutable spare_contexts<mac_context> spare{};

    explicit contexts(std::span<std::byte const> key)
        : prepared(EVP_MAC_CTX_new(
              fetched<owned<EVP_MAC, EVP_MAC_free>>([](auto... a) { return EVP_MAC_fetch(a...); }, "HMAC"))) {
        char digest[] = "SHA256";
        OSSL_PARAM const parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                         OSSL_PARAM_construct_end()};
        constexpr unsigned char nothing = 0;  // OpenSSL takes a null key for "the one of before"
        auto const* const k = key.empty() ? &nothing : chars(key);
        need(prepared && EVP_MAC_init(prepared.get(), k, key.size(), parameters) == 1, "HMAC");
    }

    mac_context take() const {
        auto context = spare.take();
        if (!context) {
            context.reset(EVP_MAC_CTX_dup(prepared.get()));
            need(context != nullptr, "HMAC");
        }
        return context;
    }

    /// Writes the code of some pieces of data, one after the other. Makes the context ready for the next. A code may be
    /// a key, so no copy of it is made.
    static void sign(EVP_MAC_CTX& context, std::initializer_list<std::span<std::byte const>> pieces,
                     sha256_digest& digest) {
        bool done = true;
        for (auto const piece : pieces) done = done && EVP_MAC_update(&context, chars(piece), piece.size()) == 1;
        std::size_t size = 0;
        done = done && EVP_MAC_final(&context, room(digest), &size, digest.size()) == 1;
        need(done && EVP_MAC_init(&context, nullptr, 0, nullptr) == 1, "HMAC");
    }
};

hmac_key::hmac_key(std::span<std::byte const> key) {
    error_mark const mark;
    contexts_ = std::make_shared<contexts>(key);
}

sha256_digest hmac_key::sign(std::span<std::byte const> data) const {
    error_mark const mark;
    auto context = contexts_->take();
    sha256_digest digest;
    contexts::sign(*context, {data}, digest);
    contexts_->spare.give_back(std::move(context));
    return digest;
}

sha256_digest hmac_sha256(std::span<std::byte const> key, std::span<std::byte const> data) {
    return hmac_key{key}.sign(data);
}

hmac_key hkdf_extract(std::span<std::byte const> salt, std::span<std::byte const> key) {
    auto prk = hmac_sha256(salt, key);
    wiped const guard{prk};
    return hmac_key{prk};
}

void hkdf_expand(hmac_key const& prk, std::span<std::byte const> info, std::span<std::byte> out) {
    error_mark const mark;
    auto context = prk.contexts_->take();
    sha256_digest block{};
    wiped const guard{block};
    for (auto counter = std::byte{1}; !out.empty(); counter = std::byte(std::to_integer<int>(counter) + 1)) {
        std::span<std::byte const> const before{block.data(), counter == std::byte{1} ? 0 : block.size()};
        hmac_key::contexts::sign(*context, {before, info, {&counter, 1}}, block);
        auto const n = std::min(out.size(), block.size());
        std::copy_n(block.begin(), n, out.begin());
        out = out.subspan(n);
    }
    prk.contexts_->spare.give_back(std::move(context));
}

// ---- bytes ----------------------------------------------------------------------------------------------------------

void wipe(std::span<std::byte> secret) noexcept { OPENSSL_cleanse(secret.data(), secret.size()); }

bool equal_in_constant_time(std::span<std::byte const> a, std::span<std::byte const> b) noexcept {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void fill_random(std::span<std::byte> out) {
    error_mark const mark;
    need(out.size() <= INT_MAX && RAND_bytes(room(out), static_cast<int>(out.size())) == 1, "random numbers");
}

// ---- AES-256-GCM ----------------------------------------------------------------------------------------------------

namespace {

/// Calls `update` for data of any length in pieces that OpenSSL's int can count.
template <class Update> bool in_pieces(std::span<std::byte const> data, Update update) {
    constexpr std::size_t most = 1 << 30;
    for (; !data.empty(); data = data.subspan(std::min(most, data.size())))
        if (!update(data.first(std::min(most, data.size())))) return false;
    return true;
}

}  // namespace

struct aes_256_gcm::contexts {
    spare_contexts<cipher_context> spare{};

    cipher_context take() {
        auto context = spare.take();
        if (context) return context;
        context.reset(EVP_CIPHER_CTX_new());
        auto* const cipher = fetched<owned<EVP_CIPHER, EVP_CIPHER_free>>(
            [](auto... a) { return EVP_CIPHER_fetch(a...); }, "AES-256-GCM");
        need(context && EVP_CipherInit_ex2(context.get(), cipher, nullptr, nullptr, 1, nullptr) == 1, "AES-256-GCM");
        return context;
    }

    /// Begins an encryption or a decryption and takes in the associated data.
    static bool begin(EVP_CIPHER_CTX* c, bool encrypt, key k, nonce n, associated data) {
        if (EVP_CipherInit_ex2(c, nullptr, chars(k), chars(n), encrypt, nullptr) != 1) return false;
        int length = 0;
        return in_pieces(data, [&](auto part) {
            return EVP_CipherUpdate(c, nullptr, &length, chars(part), static_cast<int>(part.size())) == 1;
        });
    }

    static bool translate(EVP_CIPHER_CTX* c, std::span<std::byte const> in, std::span<std::byte> out) {
        auto* to = room(out);
        return in_pieces(in, [&](auto part) {
            int length = 0;
            bool const done = EVP_CipherUpdate(c, to, &length, chars(part), static_cast<int>(part.size())) == 1;
            to += length;
            return done;
        });
    }
};

aes_256_gcm::aes_256_gcm() : contexts_(std::make_unique<contexts>()) {}
aes_256_gcm::~aes_256_gcm() = default;

void aes_256_gcm::seal(key k, nonce n, associated data, std::span<std::byte const> plain, std::span<std::byte> out,
                       std::span<std::byte, tag_size> tag) const {
    error_mark const mark;
    auto context = contexts_->take();
    auto* const c = context.get();
    unsigned char nothing[1];
    int length = 0;
    bool const done = contexts::begin(c, true, k, n, data) && contexts::translate(c, plain, out) &&
                      EVP_CipherFinal_ex(c, nothing, &length) == 1 &&
                      EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, tag_size, room(tag)) == 1;
    need(done, "AES-256-GCM");
    contexts_->spare.give_back(std::move(context));
}

bool aes_256_gcm::open(key k, nonce n, associated data, std::span<std::byte const> ciphertext,
                       std::span<std::byte const, tag_size> tag, std::span<std::byte> out) const {
    error_mark const mark;
    auto context = contexts_->take();
    auto* const c = context.get();
    std::array<std::byte, tag_size> expected;
    std::copy(tag.begin(), tag.end(), expected.begin());  // OpenSSL's interface takes no constant one
    need(contexts::begin(c, false, k, n, data) && contexts::translate(c, ciphertext, out) &&
             EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, tag_size, room(expected)) == 1,
         "AES-256-GCM");
    unsigned char nothing[1];
    int length = 0;
    bool const whole = EVP_CipherFinal_ex(c, nothing, &length) == 1;
    contexts_->spare.give_back(std::move(context));
    if (!whole) wipe(out);
    return whole;
}

// ---- encryption of older clients -----------------------------------------------------------------------------------

namespace {

/// Decrypts data under a cipher that needs only a key and an initialisation vector.
std::optional<bytes> decrypt_with(char const* name, std::span<std::byte const> key, unsigned char const* iv,
                                  std::span<std::byte const> data) {
    error_mark const mark;
    owned<EVP_CIPHER, EVP_CIPHER_free> const cipher{EVP_CIPHER_fetch(nullptr, name, nullptr)};
    cipher_context const context{EVP_CIPHER_CTX_new()};
    need(cipher && context, name);
    if (data.size() > INT_MAX / 2) return std::nullopt;
    EVP_CIPHER_CTX_set_flags(context.get(), EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    need(EVP_DecryptInit_ex2(context.get(), cipher.get(), chars(key), iv, nullptr) == 1, name);
    bytes out(data.size() + EVP_MAX_BLOCK_LENGTH);
    int length = 0;
    int rest = 0;
    bool const done =
        EVP_DecryptUpdate(context.get(), room(out), &length, chars(data), static_cast<int>(data.size())) == 1 &&
        EVP_DecryptFinal_ex(context.get(), room(out) + length, &rest) == 1;
    if (!done) wipe(out);
    if (!done) return std::nullopt;
    out.resize(static_cast<std::size_t>(length) + static_cast<std::size_t>(rest));
    return out;
}

}  // namespace

std::optional<bytes> aes_key_unwrap(std::span<std::byte const> key, std::span<std::byte const> wrapped) {
    if (wrapped.size() < 24 || wrapped.size() % 8 != 0) return std::nullopt;
    switch (key.size()) {
    case 16: return decrypt_with("AES-128-WRAP", key, nullptr, wrapped);
    case 24: return decrypt_with("AES-192-WRAP", key, nullptr, wrapped);
    case 32: return decrypt_with("AES-256-WRAP", key, nullptr, wrapped);
    default: return std::nullopt;
    }
}

std::optional<bytes> aes_256_cbc_decrypt(std::span<std::byte const> key, std::span<std::byte const> iv,
                                         std::span<std::byte const> data) {
    if (key.size() != 32 || iv.size() != 16 || data.empty() || data.size() % 16 != 0) return std::nullopt;
    return decrypt_with("AES-256-CBC", key, chars(iv), data);
}

struct rsa_private_key::pair {
    owned<EVP_PKEY, EVP_PKEY_free> key;
};

std::optional<rsa_private_key> rsa_private_key::from_pem(std::string_view pem) {
    error_mark const mark;
    if (pem.size() > INT_MAX) return std::nullopt;
    owned<BIO, BIO_free> const text{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
    auto const no_passphrase = [](char*, int, int, void*) { return -1; };  // otherwise OpenSSL asks on the terminal
    auto p = std::make_shared<pair>();
    if (text) p->key.reset(PEM_read_bio_PrivateKey(text.get(), nullptr, no_passphrase, nullptr));
    if (!p->key || EVP_PKEY_is_a(p->key.get(), "RSA") != 1) return std::nullopt;
    return rsa_private_key{std::move(p)};
}

std::optional<bytes> rsa_private_key::decrypt(rsa_padding padding, std::span<std::byte const> data) const {
    error_mark const mark;
    key_context const owner{EVP_PKEY_CTX_new_from_pkey(nullptr, pair_->key.get(), nullptr)};
    auto* const c = owner.get();
    bool const oaep = padding != rsa_padding::pkcs1;
    auto const* const digest = padding == rsa_padding::oaep_sha256 ? "SHA256" : "SHA1";
    need(c && EVP_PKEY_decrypt_init(c) == 1 &&
             EVP_PKEY_CTX_set_rsa_padding(c, oaep ? RSA_PKCS1_OAEP_PADDING : RSA_PKCS1_PADDING) == 1 &&
             (!oaep || (EVP_PKEY_CTX_set_rsa_oaep_md_name(c, digest, nullptr) == 1 &&
                        EVP_PKEY_CTX_set_rsa_mgf1_md_name(c, digest, nullptr) == 1)),
         "RSA");
    bytes out(static_cast<std::size_t>(EVP_PKEY_get_size(pair_->key.get())));
    auto size = out.size();
    if (EVP_PKEY_decrypt(c, room(out), &size, chars(data), data.size()) != 1) return std::nullopt;
    out.resize(size);
    return out;
}

}  // namespace tablemap::detail
