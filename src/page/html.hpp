// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/digit_groups.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1::page {

/// Markup that was written in the source: text of a store can never be one.
class markup {
public:
    template <std::size_t N> consteval markup(char const (&text)[N]) : text_(text, N - 1) {}
    explicit consteval markup(std::string_view text) : text_(text) {}

    constexpr std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// A page of HTML that is being written. All that is not markup of the source is escaped.
class html {
public:
    html& add(markup m) { return append(m.text()); }

    /// Text of anybody. Control characters become signs that show them, those that turn the direction of text U+FFFD.
    /// Nothing is left that a browser would obey.
    html& text(std::string_view any);

    /// At most 160 bytes of a text, in an element of its own, so that it cannot change the order of what is around it.
    html& key(std::string_view any);

    /// The value of a parameter in the URL of a link.
    html& parameter(std::string_view any);

    html& number(std::uint64_t n);  ///< such as 12,345
    html& bytes(std::uint64_t n);   ///< such as 3.2 MiB
    html& percent(double share);    ///< such as 12.5 %
    html& coordinate(double x);     ///< a number of an SVG attribute

    std::string take() && { return std::move(out_); }

private:
    html& append(std::string_view safe) {
        out_ += safe;
        return *this;
    }

    std::string out_{};
};

using detail::counted;
using detail::with_separators;

}  // namespace tablemap::page
