// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"

#include <memory>

namespace tablemap::inline v0_1 {

/// The encryption keys that a program holds itself, one of them for new values.
///
///     auto keys = std::make_shared<tmap::key_ring>();
///     keys->add("2025", bytes_of_2025);          // values of before can be read
///     keys->add_current("2026", bytes_of_2026);  // and new ones are written with this one
///
/// To rotate: give every program the new key with `add`; then, program by program, `use` it; re-encrypt the tables;
/// `erase` the old one.
///
/// \par Thread safety
/// All functions may run at the same time, also while tables use the ring.
class key_ring final : public key_provider {
public:
    key_ring();
    ~key_ring() override;
    key_ring(key_ring const&) = delete;
    key_ring& operator=(key_ring const&) = delete;

    /// Adds a key for reading; does nothing if the ring has it already.
    ///
    /// \throws error as `encryption_key::make`; `library_errc::invalid_encryption_key` if the ring has a key of other
    /// bytes under the id
    void add(std::string_view id, std::span<std::byte const> secret);
    void add(encryption_key const& key);
    result<void> try_add(std::string_view id, std::span<std::byte const> secret);
    result<void> try_add(encryption_key const& key);

    /// `add` and `use` in one step.
    ///
    /// \throws error as `add`
    void add_current(std::string_view id, std::span<std::byte const> secret);
    void add_current(encryption_key const& key);
    result<void> try_add_current(std::string_view id, std::span<std::byte const> secret);
    result<void> try_add_current(encryption_key const& key);

    /// Makes a key of the ring the one that new values are encrypted with.
    ///
    /// \throws error `library_errc::unknown_encryption_key` if the ring lacks it
    void use(std::string_view id);
    result<void> try_use(std::string_view id);

    /// Removes a key: values encrypted with it cannot be read any more.
    ///
    /// \return true if the ring had it
    /// \throws error `library_errc::invalid_encryption_key` for the current one
    bool erase(std::string_view id);
    result<bool> try_erase(std::string_view id);

    result<encryption_key> current() const override;
    result<encryption_key> find(std::string_view id) const override;

    /// The current key first, if there is one, and then the others by their ids.
    result<std::vector<encryption_key>> all() const override;

private:
    struct keys;
    std::shared_ptr<keys> const keys_;  ///< of one owner: a unique_ptr takes longer to compile
};

}  // namespace tablemap
