// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/mapping/converter.hpp"

#include <string>
#include <string_view>

namespace tablemap {

/// JSON text of any shape, checked when it is made. Stored as Edm.String, with every space as it was.
///
/// For documents whose shape the program does not know; a known one is a struct and `as_json()`. Where a struct of an
/// `as_json()` member holds a json_document, it stands there as JSON, not as text that holds JSON; there the document
/// `null` inside a `std::optional` reads back as an empty one. A value-initialised json_document is `null`.
/// Thread safety: as for a std::string.
class json_document {
public:
    json_document() = default;

    /// Takes one JSON value (RFC 8259) of at most 64 levels, without names that stand twice in one object.
    /// Errors: `library_errc::type_mismatch`.
    static result<json_document> parse(std::string text);

    std::string const& text() const& noexcept { return text_; }
    std::string text() const&& { return text_; }

    /// Compares the texts: spaces and the order of names tell documents apart.
    friend bool operator==(json_document const&, json_document const&) = default;

    /// A document of text that `parse` would take; this is not checked.
    static json_document from_checked(std::string_view text) {
        json_document d;
        d.text_ = text;
        return d;
    }

private:
    std::string text_ = "null";
};

/// Stores a document as its text. Errors of `from_property`: those of `json_document::parse`.
template <> struct converter<json_document> {
    using stored = std::string;
    static stored to_property(json_document const& v) { return v.text(); }
    static result<json_document> from_property(stored const& v) { return json_document::parse(v); }
};

}  // namespace tablemap
