// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/mapping/legacy_encryption.hpp"
#include "tablemap/detail/mapping/value_codec.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

class encryption_key;
class key_provider;
class legacy_keys;

/// Decides at run time which properties are written encrypted, beside those of members that are `encrypted<T>`.
using encryption_resolver =
    std::function<bool(std::string_view partition_key, std::string_view row_key, std::string_view property)>;

/// Conversion between the values of properties and their encrypted stored form.
///
/// The plain text of the encryption is a value's Edm type and its bytes: text in UTF-8; a boolean as 0 or 1 in one
/// byte; Int32, Int64 and the 100 ns of a DateTime since year 1 in two's complement, 4, 8 and 8 bytes, the greatest
/// first; a double's 8 bytes in the same order; a guid's 16 bytes in the order of its text; binary unchanged. The types
/// are numbered 1 String, 2 Boolean, 3 Int32, 4 Int64, 5 Double, 6 DateTime, 7 Guid, 8 Binary. The stored property is
/// Edm.Binary.
namespace detail {

/// The keys of a row.
struct row_keys {
    std::string_view partition_key;
    std::string_view row_key;
};

/// A value in the form that is encrypted.
struct plain_value {
    edm_type type;
    std::string_view bytes;
};

/// The outcome of decrypting the encrypted values of a row.
struct opened_row {
    std::vector<property_fault> faults{};
    bool legacy = false;  ///< an older client encrypted it: it must be rewritten as a whole or not at all
    std::optional<error> unavailable{};  ///< the first fault of the keys, which says nothing about the row
};

/// Encrypts and decrypts the properties of one table. The resolver is called from any thread.
///
/// \par Thread safety
/// Immutable.
class property_cipher {
public:
    /// Keys may be null, and legacy keys, too: operations that need them are refused then.
    property_cipher(std::string table, std::shared_ptr<key_provider const> keys, encryption_resolver encrypt,
                    std::shared_ptr<legacy_keys const> legacy);
    property_cipher(property_cipher const&);
    property_cipher(property_cipher&&) noexcept;
    property_cipher& operator=(property_cipher const&);
    property_cipher& operator=(property_cipher&&) noexcept;
    ~property_cipher();

    encryption_resolver const& resolver() const noexcept { return encrypt_; }
    std::shared_ptr<legacy_keys const> const& legacy() const noexcept { return legacy_; }

    /// The key of new values.
    ///
    /// \return the key, or error `library_errc::no_encryption_key`, or one of the provider
    result<encryption_key> current_key() const;

    /// True if the resolver wants a property encrypted.
    bool wants(row_keys const& row, std::string_view property) const;

    /// Marks the properties of a row that the resolver wants encrypted, except the one that is `exempt`.
    void mark_wanted(dynamic_entity& row, std::string_view exempt) const;

    /// Appends a property, with the comma before it: its encrypted value, or for a blind index the hash of the value.
    ///
    /// \return nothing, or an error with the property: `library_errc::value_too_large`, or one of the keys
    result<void> append(std::string& out, row_keys const& row, std::string_view property, plain_value const& value,
                        sealing how) const;

    /// Decrypts a value.
    ///
    /// \return the value, or an error as `open_sealed`, with the property
    result<property_value> open(row_keys const& row, std::string_view property, bytes const& sealed) const;

    /// Decrypts the encrypted values of a row, and marks their properties. Values that cannot be decrypted stay as they
    /// are. The metadata of an older client's encryption is removed.
    opened_row open_all(dynamic_entity& row) const;

    /// Decrypts a row of an older client.
    ///
    /// \return the values, or an error as `open_legacy_row`
    result<std::vector<legacy_value>> open_legacy(legacy_row const& row) const;

    /// The hash of a value in a blind index under the current key.
    ///
    /// \return the hash, or an error of the keys
    result<bytes> hash_of(std::string_view property, property_value const& v) const;

    /// The hashes that a blind index may have for a value: one for each key, the current one's first.
    ///
    /// \return the hashes, or an error of the keys
    result<std::vector<bytes>> hashes_of(std::string_view property, property_value const& v) const;

    /// A copy of this cipher that also checks rows which the blind indexes of these properties found: a row with
    /// another index for its value is refused.
    property_cipher checking_indexes(std::vector<std::string> const& properties) const;

    /// Checks that `index` is one of the hashes that a blind index may have for a value.
    ///
    /// \return nothing, or error `library_errc::altered_ciphertext` if it is none; or an error of the keys
    result<void> check_index(std::string_view property, property_value const& v, bytes const& index) const;
    bool checks_index_of(std::string_view property) const noexcept;

private:
    result<std::vector<encryption_key>> keys_of_indexes(std::string_view property) const;

    std::string table_;
    std::shared_ptr<key_provider const> keys_;
    encryption_resolver encrypt_;
    std::shared_ptr<legacy_keys const> legacy_;
    std::vector<std::string> checked_;
};

/// Decrypts a row before all of it is rewritten. A value that cannot be decrypted would be lost, so it is a fault, also
/// without a cipher, or without the keys of an older client. The cipher may be null.
opened_row open_whole(dynamic_entity& row, property_cipher const* cipher);

/// The name of the column of a property's blind index.
std::string blind_index_name(std::string_view property);

/// True for a value that begins like an encrypted one, of any version of the format.
bool is_sealed(property_value const& v) noexcept;
bool is_sealed_text(std::string_view base64) noexcept;

/// The cipher that reading a body needs; null if the body holds no encrypted value.
property_cipher const* needed_for(std::string_view body, property_cipher const* cipher) noexcept;

/// An error as a fault of a property.
property_fault fault_of(error const& e, std::string_view property);

/// The error of writing an encrypted property to a table without keys.
error no_keys(std::string_view property);

/// As `property_cipher::append`, with a cipher that may be null.
///
/// \return nothing, or an error as there; `library_errc::no_encryption_key` if there is no cipher
result<void> append_sealed(std::string& out, row_keys const& row, std::string_view property, plain_value const& value,
                           sealing how, property_cipher const* cipher);

}  // namespace detail
}  // namespace tablemap
