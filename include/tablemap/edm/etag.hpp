// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/ticks.hpp"

#include <compare>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tablemap::inline v0_1 {

/// The version of a stored entity. Opaque: compare it, keep it, send it back byte for byte.
class etag {
public:
    etag() = default;
    explicit etag(std::string text) noexcept : text_(std::move(text)) {}

    /// The service's form of an etag, which contains the entity's timestamp.
    static etag of(ticks timestamp);

    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }
    bool empty() const noexcept { return text_.empty(); }

    /// The timestamp in an etag of the service's form; nothing for any other text. For stores that made the etag.
    std::optional<ticks> timestamp() const noexcept;

    friend auto operator<=>(etag const&, etag const&) = default;
    friend std::ostream& operator<<(std::ostream& out, etag const& e);  ///< its text

private:
    std::string text_;
};

}  // namespace tablemap
