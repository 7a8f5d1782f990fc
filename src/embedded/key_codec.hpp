// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Keys in the file: UTF-8 with the leads EE and EF stored as F5 and F6, so that the order of bytes is the service's
/// order of UTF-16 code units. Part of the file format.
namespace tablemap::inline v0_1::detail::embedded {

/// A key as it is stored. Borrows the text unless it has to change, so it must not outlive it.
class stored_key {
public:
    explicit stored_key(std::string_view text);
    stored_key(stored_key const&) = delete;
    stored_key& operator=(stored_key const&) = delete;

    std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string changed_;
    std::string_view bytes_;
};

std::string to_stored_key(std::string_view text);

/// The text of a stored key; `buffer` holds it if it has to change.
std::string_view from_stored_key(std::string_view bytes, std::string& buffer);

/// Checks a key by the service's rules and returns its length in UTF-16 code units.
/// Errors (thrown): `service_errc::invalid_input`, `key_value_too_large`.
std::size_t checked_key_units(std::string_view key, std::string_view name);

}  // namespace tablemap::detail::embedded
