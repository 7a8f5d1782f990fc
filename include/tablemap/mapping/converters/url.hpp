// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/mapping/converter.hpp"

#include <string>
#include <string_view>

namespace tablemap {

/// An absolute URL, `scheme://authority/path?query#fragment`, as text that RFC 3986 allows. Stored as Edm.String.
///
/// A value-initialised url is empty and cannot be stored: use `std::optional<url>` for one that may be missing.
/// Thread safety: as for a std::string.
class url {
public:
    url() = default;

    /// Reads a scheme, an authority, and whatever path, query and fragment follow. Checked are the scheme, the host (only
    /// of `file` it may be empty; an address in brackets is read), that a port is digits, every character, and every
    /// percent escape. Characters beyond ASCII must be escaped. Nothing is normalised. What a scheme asks beyond that is
    /// not checked, nor whether there is such a host.
    /// Errors: `library_errc::type_mismatch`.
    static result<url> parse(std::string_view text);

    /// The text as it was parsed.
    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }

    bool empty() const noexcept { return text_.empty(); }

    /// Compares the texts: two ways of writing one address are different.
    friend bool operator==(url const&, url const&) = default;

private:
    std::string text_{};
};

/// Stores a URL as its text. Errors of `to_property`: `library_errc::value_out_of_range` for an empty one. Errors of
/// `from_property`: those of `url::parse`.
template <> struct converter<url> {
    using stored = std::string;
    static result<stored> to_property(url const& v);
    static result<url> from_property(stored const& v) { return url::parse(v); }
};

}  // namespace tablemap
