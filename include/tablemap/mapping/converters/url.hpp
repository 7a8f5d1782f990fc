// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/edm/converter.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// An absolute URL, `scheme://authority/path?query#fragment`, as text that RFC 3986 allows. Stored as Edm.String.
///
/// A value-initialised url is empty and cannot be stored: use `std::optional<url>` for one that may be missing.
///
/// \par Thread safety
/// Like a std::string.
class url {
public:
    url() = default;

    /// Reads a scheme, an authority, and optionally path, query and fragment.
    ///
    /// It checks the scheme, the host (only of `file` it may be empty; an address in brackets is read), that a port is
    /// digits, every character, and every percent escape. Characters beyond ASCII must be escaped. Nothing is
    /// normalised. Further rules of a scheme, and the existence of the host, are not checked.
    ///
    /// \return the URL, or error `library_errc::type_mismatch`
    static result<url> parse(std::string_view text);

    /// The text as it was parsed.
    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }

    bool empty() const noexcept { return text_.empty(); }

    /// Compares the texts: two spellings of one address are different.
    friend bool operator==(url const&, url const&) = default;

private:
    std::string text_{};
};

/// Stores a URL as its text. Writing refuses an empty one (`library_errc::value_out_of_range`). Reading fails as
/// `url::parse` does.
template <> struct converter<url> {
    using stored = std::string;
    static result<stored> to_property(url const& v);
    static result<url> from_property(stored const& v) { return url::parse(v); }
};

}  // namespace tablemap
