// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// A 128-bit identifier. Its bytes stand in the order of its text, so values and texts sort alike.
class guid {
public:
    constexpr guid() = default;
    constexpr explicit guid(std::array<std::uint8_t, 16> bytes) noexcept : bytes_(bytes) {}

    /// A random (version 4) identifier made of these two random words.
    static constexpr guid from_random(std::uint64_t high, std::uint64_t low) noexcept {
        guid g;
        for (unsigned i = 0; i < 8; ++i) {
            g.bytes_[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
            g.bytes_[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
        }
        g.bytes_[6] = static_cast<std::uint8_t>((g.bytes_[6] & 0x0F) | 0x40);
        g.bytes_[8] = static_cast<std::uint8_t>((g.bytes_[8] & 0x3F) | 0x80);
        return g;
    }

    constexpr std::array<std::uint8_t, 16> const& bytes() const& noexcept { return bytes_; }
    constexpr std::array<std::uint8_t, 16> bytes() const&& { return bytes_; }

    /// Reads 36 characters with hyphens, in either case.
    ///
    /// \return the guid, or error `library_errc::type_mismatch` if the text is none
    static result<guid> parse(std::string_view text);

    /// 36 characters with hyphens, lower case: the only form that every store compares alike.
    std::string text() const;

    friend constexpr auto operator<=>(guid const&, guid const&) = default;
    friend std::ostream& operator<<(std::ostream& out, guid const& g);  ///< its text

private:
    std::array<std::uint8_t, 16> bytes_{};
};

namespace detail {
/// False if the text is no guid; `out` is untouched then.
bool parse_guid(std::string_view text, guid& out) noexcept;
void append_guid(std::string& out, guid const& g);
}  // namespace detail

}  // namespace tablemap
