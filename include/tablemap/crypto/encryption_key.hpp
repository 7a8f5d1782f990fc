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

namespace tablemap {

namespace detail {
struct key_material;
}

/// A key that other keys are derived from, with the id by which encrypted values name it. 32 bytes that no function gives
/// back, wiped when the last copy goes. Copies are cheap and share them. Thread safety: immutable.
class encryption_key {
public:
    /// Errors: `library_errc::invalid_encryption_key` for bytes that are not 32, or an id that is not 1 to 64 visible ASCII characters.
    static encryption_key make(std::string_view id, std::span<std::byte const> secret) {
        return value_or_throw(try_make(id, secret));
    }
    static result<encryption_key> try_make(std::string_view id, std::span<std::byte const> secret);

    /// The key in a file of 32 bytes and nothing else, as `make_key_file` writes it.
    /// Errors: as `make`; `library_errc::invalid_encryption_key` for a file that cannot be read or holds more or less, and for
    /// a file of the process's own user that other users may read or write.
    static encryption_key from_file(std::string_view id, std::string const& path) {
        return value_or_throw(try_from_file(id, path));
    }
    static result<encryption_key> try_from_file(std::string_view id, std::string const& path);

    std::string const& id() const& noexcept;
    std::string id() const&& { return id(); }

    detail::key_material const& material() const noexcept { return *material_; }

private:
    explicit encryption_key(std::shared_ptr<detail::key_material const> m) : material_(std::move(m)) {}

    std::shared_ptr<detail::key_material const> material_;
};

/// Where encryption keys come from: a `key_ring`, or a program's own class in front of a vault.
///
/// Thread safety: all functions are called from any number of threads, also while others of them run. They are called for each
/// encrypted value that is written or read, and so must not wait for a network each time: see `cached_keys`. What they throw
/// becomes the error of the operation: `library_errc::no_encryption_key` unless it is a `tablemap::error`.
class key_provider {
public:
    virtual ~key_provider() = default;

    /// The key that new values are encrypted with. Errors: `library_errc::no_encryption_key`, or the provider's own.
    virtual result<encryption_key> current() const = 0;

    /// The key of an id. Errors: `library_errc::unknown_encryption_key`, or the provider's own.
    virtual result<encryption_key> find(std::string_view id) const = 0;

    /// The keys that values may have been written with: what a look-up by a blind index asks for. Unless it is overridden, the
    /// current one alone. Errors: as `current`.
    virtual result<std::vector<encryption_key>> all() const {
        auto const key = current();
        if (!key) return failure{key.error()};
        return std::vector{*key};
    }
};

}  // namespace tablemap
