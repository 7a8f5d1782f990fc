// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/legacy_keys.hpp"

#include "crypto/legacy_cipher.hpp"
#include "crypto/primitives.hpp"
#include "tablemap/base/redaction.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace tablemap::inline v0_1 {
namespace {

using detail::rsa_padding;
using detail::rsa_private_key;

/// A symmetric key, wiped when it is destroyed.
class wrapping_key {
public:
    explicit wrapping_key(std::span<std::byte const> key) : bytes_(key.begin(), key.end()) {}
    wrapping_key(wrapping_key&&) noexcept = default;
    wrapping_key& operator=(wrapping_key&& other) noexcept { return bytes_.swap(other.bytes_), *this; }
    ~wrapping_key() { detail::wipe(bytes_); }

    /// Nothing for an algorithm of another key size.
    std::optional<bytes> unwrap(std::string_view algorithm, std::span<std::byte const> wrapped) const {
        auto const size = algorithm == "A128KW" ? 16U : algorithm == "A192KW" ? 24U : algorithm == "A256KW" ? 32U : 0U;
        // Of keys of 384 and 512 bits those clients used the first 256.
        if (size == 0 || std::min<std::size_t>(bytes_.size(), 32) != size) return std::nullopt;
        return detail::aes_key_unwrap(std::span{bytes_}.first(size), wrapped);
    }

private:
    bytes bytes_;
};

std::optional<bytes> unwrap_rsa(rsa_private_key const& key, std::string_view algorithm,
                                std::span<std::byte const> wrapped) {
    if (algorithm == "RSA-OAEP") return key.decrypt(rsa_padding::oaep_sha1, wrapped);
    if (algorithm == "RSA-OAEP-256") return key.decrypt(rsa_padding::oaep_sha256, wrapped);
    if (algorithm == "RSA1_5") return key.decrypt(rsa_padding::pkcs1, wrapped);
    return std::nullopt;
}

failure invalid(char const* reason) { return fail(library_errc::invalid_encryption_key, {.reason = reason}); }

failure unknown_legacy(std::string_view id) {
    auto const visible = [](char c) { return c > ' ' && c < '\x7F'; };
    std::string reason = "the row was encrypted by an older client under ";
    if (!id.empty() && id.size() <= 200 && std::all_of(id.begin(), id.end(), visible))
        reason.append("the key '").append(id).append("'");
    else
        reason += "a key";
    return fail(library_errc::unknown_encryption_key,
                {.reason = reason + " that is not among the legacy keys: add it"});
}

}  // namespace

struct legacy_keys::keys {
    std::map<std::string, std::variant<wrapping_key, rsa_private_key>, std::less<>> by_id;
    unwrap_function unwrap;
};

legacy_keys::legacy_keys() : keys_(std::make_unique<keys>()) {}
legacy_keys::legacy_keys(legacy_keys&&) noexcept = default;
legacy_keys& legacy_keys::operator=(legacy_keys&&) noexcept = default;
legacy_keys::~legacy_keys() = default;

void legacy_keys::add(std::string_view key_id, std::span<std::byte const> key) { value_or_throw(try_add(key_id, key)); }
void legacy_keys::add_rsa(std::string_view key_id, std::string_view pem) { value_or_throw(try_add_rsa(key_id, pem)); }

result<void> legacy_keys::try_add(std::string_view key_id, std::span<std::byte const> key) {
    if (key_id.empty()) return invalid("the id of a legacy key is empty");
    constexpr std::size_t sizes[] = {16, 24, 32, 48, 64};
    if (std::find(std::begin(sizes), std::end(sizes), key.size()) == std::end(sizes))
        return invalid("a symmetric legacy key has 16, 24, 32, 48 or 64 bytes");
    keys_->by_id.insert_or_assign(std::string{key_id}, wrapping_key{key});
    return {};
}

result<void> legacy_keys::try_add_rsa(std::string_view key_id, std::string_view pem) {
    if (key_id.empty()) return invalid("the id of a legacy key is empty");
    auto key = rsa_private_key::from_pem(pem);
    if (!key) return invalid("the text is no private RSA key in PEM, or it is encrypted");
    keys_->by_id.insert_or_assign(std::string{key_id}, *std::move(key));
    return {};
}

void legacy_keys::set_unwrap(unwrap_function f) { keys_->unwrap = std::move(f); }

result<bytes> legacy_keys::unwrap(std::string_view key_id, std::string_view algorithm,
                                  std::span<std::byte const> wrapped) const {
    auto const at = keys_->by_id.find(key_id);
    if (at == keys_->by_id.end()) {
        if (!keys_->unwrap) return unknown_legacy(key_id);
        try {
            return keys_->unwrap(key_id, algorithm, wrapped);
        } catch (error const& e) {
            return failure{e};
        } catch (std::exception const& e) {
            return fail(library_errc::no_encryption_key,
                        {.reason = "the function that unwraps keys threw an exception: " + redacted(e.what())});
        } catch (...) {
            return fail(library_errc::no_encryption_key,
                        {.reason = "the function that unwraps keys threw an exception"});
        }
    }
    auto const* const symmetric = std::get_if<wrapping_key>(&at->second);
    auto key = symmetric ? symmetric->unwrap(algorithm, wrapped)
                         : unwrap_rsa(std::get<rsa_private_key>(at->second), algorithm, wrapped);
    if (!key) return detail::unreadable_legacy_row();
    return *std::move(key);
}

}  // namespace tablemap
