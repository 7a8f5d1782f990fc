// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/result.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace tablemap {

/// The keys of rows that the storage clients of before encrypted (.NET up to 9.3, Java up to 8.6, Python 0.3x). Such rows are read and
/// never written: nothing protects them from being altered, see docs/encryption.md. With `add_rsa` anybody who has the public key
/// can make whole rows that are read as genuine.
///
/// Thread safety: `unwrap` at the same time; the others before the object is given to a store.
class legacy_keys {
public:
    /// Gives the content key that was wrapped, when asked for a key's id, the wrapping's algorithm (as the row names them, so
    /// by anybody who can write rows) and the wrapped bytes. Called from any thread, for each row that no added key is for.
    ///
    /// Errors: `library_errc::unknown_encryption_key` for an id that it does not know,
    /// `library_errc::unreadable_legacy_row` for bytes that do not unwrap, whatever is wrong with them; others are passed on.
    using unwrap_function = std::function<result<bytes>(std::string_view key_id, std::string_view algorithm,
                                                        std::span<std::byte const> wrapped)>;

    legacy_keys();
    legacy_keys(legacy_keys&&) noexcept;
    legacy_keys& operator=(legacy_keys&&) noexcept;
    ~legacy_keys();

    /// A symmetric key (`SymmetricKey` of those clients), for A128KW, A192KW and A256KW. Takes the place of one of the same id.
    /// Errors: `library_errc::invalid_encryption_key` for other than 16, 24, 32, 48 or 64 bytes, or an empty id.
    void add(std::string_view key_id, std::span<std::byte const> key) { value_or_throw(try_add(key_id, key)); }
    result<void> try_add(std::string_view key_id, std::span<std::byte const> key);

    /// The private key of an `RsaKey`, for RSA-OAEP, RSA-OAEP-256 and RSA1_5: PEM, not encrypted.
    /// Errors: `library_errc::invalid_encryption_key` for anything else, or an empty id.
    void add_rsa(std::string_view key_id, std::string_view pem) { value_or_throw(try_add_rsa(key_id, pem)); }
    result<void> try_add_rsa(std::string_view key_id, std::string_view pem);

    /// For the keys that were not added, such as those in a vault.
    void set_unwrap(unwrap_function f);

    /// The content key that was wrapped. Errors: as `unwrap_function`.
    result<bytes> unwrap(std::string_view key_id, std::string_view algorithm, std::span<std::byte const> wrapped) const;

private:
    struct keys;
    std::unique_ptr<keys> keys_;
};

}  // namespace tablemap
