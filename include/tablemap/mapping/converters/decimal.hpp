// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/edm/converter.hpp"

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// An exact decimal number, held as its text: the scale is kept, so "12.50" stays "12.50". Stored as Edm.String.
///
/// It is a value for storage and comparison, without arithmetic. Filters compare the stored text, so they find equality
/// of texts and no numeric order. A value-initialised decimal is 0.
///
/// \par Thread safety
/// Like a std::string.
class decimal {
public:
    static constexpr std::size_t most_digits = 1000;

    decimal() = default;

    /// Reads an optional minus, digits, and optionally a point with digits after it; no exponent, no plus, no spaces.
    /// Leading zeros are dropped, and so is the sign of a zero.
    ///
    /// \return the number, or error `library_errc::type_mismatch` for any other text, `value_out_of_range` for more
    /// than `most_digits` digits after that
    static result<decimal> parse(std::string_view text);

    /// The canonical text, which `parse` reads back.
    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }

    /// The number of digits after the point.
    std::size_t scale() const noexcept;

    /// Compares the numbers, whatever their scales: 12.5 and 12.50 are equal, though their texts differ.
    friend std::weak_ordering operator<=>(decimal const& a, decimal const& b) noexcept;
    friend bool operator==(decimal const& a, decimal const& b) noexcept { return (a <=> b) == 0; }

private:
    std::string text_ = "0";
};

/// Stores a decimal as its text. Reading fails as `decimal::parse` does.
template <> struct converter<decimal> {
    using stored = std::string;
    static stored to_property(decimal const& v) { return v.text(); }
    static result<decimal> from_property(stored const& v) { return decimal::parse(v); }
};

}  // namespace tablemap
