// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/edm/converter.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// JSON text of any shape, checked when it is made. Stored as Edm.String, with all its spaces.
///
/// For documents whose shape the program does not know; a known one is a struct and `as_json()`. A json_document in a
/// struct of an `as_json()` member is embedded as JSON, not as text that holds JSON; there the document `null` inside a
/// `std::optional` reads back as an empty one. A value-initialised json_document is `null`.
///
/// \par Thread safety
/// Like a std::string.
class json_document {
public:
    json_document() = default;

    /// Takes one JSON value (RFC 8259) of at most 64 levels, without a name twice in one object.
    ///
    /// \return the document, or error `library_errc::type_mismatch`
    static result<json_document> parse(std::string text);

    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }

    /// Compares the texts: documents with other spaces or another order of names differ.
    friend bool operator==(json_document const&, json_document const&) = default;

    /// A document of text that `parse` would take; this is not checked.
    static json_document from_checked(std::string_view text);

private:
    std::string text_ = "null";
};

/// Stores a document as its text. Reading fails as `json_document::parse` does.
template <> struct converter<json_document> {
    using stored = std::string;
    static stored to_property(json_document const& v);
    static result<json_document> from_property(stored const& v);
};

}  // namespace tablemap
