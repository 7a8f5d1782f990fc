// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/bytes.hpp"
#include "tablemap/base/result.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace tablemap::inline v0_1 {

/// The keys of rows that older storage clients encrypted (.NET up to 9.3, Java up to 8.6, Python 0.3x). Such rows are
/// read and never written: nothing protects them from being altered, see docs/encryption.md. With `add_rsa` anybody who
/// has the public key can make whole rows that are read as genuine.
///
/// \par Thread safety
/// Any number of `unwrap` at the same time; the other functions only before the object is given to a store.
class legacy_keys {
public:
    /// Unwraps a content key, given the key's id, the wrapping's algorithm (both as the row names them, so anybody who
    /// can write rows chooses them) and the wrapped bytes. Called from any thread, for each row whose key was not
    /// added.
    ///
    /// \return the content key, or error `library_errc::unknown_encryption_key` for an unknown id,
    /// `unreadable_legacy_row` for bytes that do not unwrap, for whatever reason; other errors are passed on
    using unwrap_function = std::function<result<bytes>(std::string_view key_id, std::string_view algorithm,
                                                        std::span<std::byte const> wrapped)>;

    legacy_keys();
    legacy_keys(legacy_keys&&) noexcept;
    legacy_keys& operator=(legacy_keys&&) noexcept;
    ~legacy_keys();

    /// Adds a symmetric key (`SymmetricKey` of those clients), for A128KW, A192KW and A256KW. Replaces a key of the
    /// same id.
    ///
    /// \throws error `library_errc::invalid_encryption_key` for other than 16, 24, 32, 48 or 64 bytes, or an empty id
    void add(std::string_view key_id, std::span<std::byte const> key);
    result<void> try_add(std::string_view key_id, std::span<std::byte const> key);

    /// Adds the private key of an `RsaKey`, for RSA-OAEP, RSA-OAEP-256 and RSA1_5: PEM, not encrypted.
    ///
    /// \throws error `library_errc::invalid_encryption_key` for any other text, or an empty id
    void add_rsa(std::string_view key_id, std::string_view pem);
    result<void> try_add_rsa(std::string_view key_id, std::string_view pem);

    /// Sets the function for keys that were not added, such as those in a vault.
    void set_unwrap(unwrap_function f);

    /// Unwraps a content key.
    ///
    /// \return the key, or an error as `unwrap_function`
    result<bytes> unwrap(std::string_view key_id, std::string_view algorithm, std::span<std::byte const> wrapped) const;

private:
    struct keys;
    std::unique_ptr<keys> keys_;
};

}  // namespace tablemap
