// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

namespace detail {
struct key_material;
}

/// A key that other keys are derived from, with the id by which encrypted values name it. No function returns its 32
/// bytes, which are wiped when the last copy is destroyed. Copies are cheap and share them.
///
/// \par Thread safety
/// Immutable.
class encryption_key {
public:
    /// Makes a key from its bytes.
    ///
    /// \throws error `library_errc::invalid_encryption_key` if the bytes are not 32, or the id is not 1 to 64 visible
    /// ASCII characters
    static encryption_key make(std::string_view id, std::span<std::byte const> secret);
    static result<encryption_key> try_make(std::string_view id, std::span<std::byte const> secret);

    /// Reads a key from a file of exactly 32 bytes, as `make_key_file` writes it.
    ///
    /// \throws error as `make`; `library_errc::invalid_encryption_key` for a file that cannot be read or has another
    /// size, and for a file of the process's own user that other users may read or write
    static encryption_key from_file(std::string_view id, std::string const& path);
    static result<encryption_key> try_from_file(std::string_view id, std::string const& path);

    std::string const& id() const& noexcept;
    std::string id() const&& { return id(); }

    detail::key_material const& material() const noexcept { return *material_; }

private:
    explicit encryption_key(std::shared_ptr<detail::key_material const> m) : material_(std::move(m)) {}

    std::shared_ptr<detail::key_material const> material_;
};

/// A source of encryption keys: a `key_ring`, or a program's own class in front of a vault.
///
/// The functions are called for each encrypted value that is written or read, and so must not wait for a network each
/// time: see `cached_keys`. An exception of theirs becomes the error of the operation:
/// `library_errc::no_encryption_key` unless it is a `tablemap::error`.
///
/// \par Thread safety
/// All functions are called from any number of threads, also at the same time.
class key_provider {
public:
    virtual ~key_provider() = default;

    /// The key that new values are encrypted with.
    ///
    /// \return the key, or error `library_errc::no_encryption_key`, or the provider's own
    virtual result<encryption_key> current() const = 0;

    /// The key of an id.
    ///
    /// \return the key, or error `library_errc::unknown_encryption_key`, or the provider's own
    virtual result<encryption_key> find(std::string_view id) const = 0;

    /// The keys that values may have been written with, for look-ups by a blind index. Unless it is overridden, only
    /// the current one.
    ///
    /// \return the keys, or an error as `current`
    virtual result<std::vector<encryption_key>> all() const;
};

}  // namespace tablemap
