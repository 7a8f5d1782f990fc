// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/mapping/json_kinds.hpp"
#include "tablemap/detail/wire/json_value.hpp"
#include "tablemap/edm/types.hpp"
#include "tablemap/mapping/converters/json_document.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The part of JSON members that does not depend on their types: one value at a time, to text and from a tree.
namespace tablemap::inline v0_1::detail {

/// The place of a fault in a document. The path is built from its end while functions return false; it holds names of
/// members and numbers of elements, never a key of a map, which is the user's data.
class json_place {
public:
    bool fail(library_errc code, std::string reason);
    bool fail(error const& e);

    // Always false, for `return f(…) || in_…(…)`.
    bool in_field(std::string_view name);
    bool in_element(std::size_t index);
    bool in_entry();

    /// The failure with its path. Precondition: something failed.
    error failed() const;

private:
    std::optional<error> failure_;
    std::string path_;
};

/// Appends JSON. Every function returns false after a failure; the appended text is unusable then.
class json_output : public json_place {
public:
    explicit json_output(std::string& out) noexcept : out_(out) {}

    bool put_null();
    bool put(bool v);
    bool put(std::int64_t v);
    bool put(std::uint64_t v);
    bool put(double v);  ///< no NaN and no infinity
    bool put(std::string const& v);
    bool put(ticks v);  ///< years 1 to 9999
    bool put(guid const& v);
    bool put(bytes const& v);
    bool put(json_document const& v);
    bool put_name(std::string_view known);  ///< text that needs no check

    bool open(char bracket);
    bool close(char bracket);
    void separate(bool first);
    bool key(std::string const& name);  ///< a key of a map
    void field(std::string_view name);  ///< a member of a struct

private:
    bool put_text(std::string_view text);

    std::string& out_;
    std::size_t depth_ = 0;
};

/// Reads values out of a tree. Every function returns false after a failure, with `to` unspecified.
class json_input : public json_place {
public:
    bool get(json_value const& from, bool& to);
    bool get(json_value const& from, double& to);
    bool get(json_value const& from, std::string& to);
    bool get(json_value const& from, ticks& to);
    bool get(json_value const& from, guid& to);
    bool get(json_value const& from, bytes& to);
    bool get(json_value const& from, json_document& to);
    bool get_signed(json_value const& from, std::int64_t min, std::int64_t max, std::int64_t& to);
    bool get_unsigned(json_value const& from, std::uint64_t max, std::uint64_t& to);

    bool expect(json_value const& from, json_kind kind);
    bool expect_size(json_value const& from, std::size_t size);

private:
    bool mismatch(json_value const& from, std::string_view expected);
    bool out_of_range();
};

using json_write = bool (*)(json_output&, void const* from);
using json_read = bool (*)(json_input&, json_value const&, void* to);

// Append one value, and read one from a tree or from text, with the function of its type.
result<void> append_json(std::string& out, json_write write, void const* from);
result<void> read_json(json_value const& from, json_read read, void* to);
result<void> read_json(std::string_view text, json_read read, void* to);

/// A member of a struct.
struct json_field {
    std::string_view name{};
    json_write write = nullptr;
    json_read read = nullptr;
    bool optional = false;  ///< reads null where the name is absent
};

bool write_json_fields(json_output& out, std::span<json_field const> fields, void const* const* addresses);
bool read_json_fields(json_input& in, json_value const& from, std::span<json_field const> fields,
                      void* const* addresses);

/// An enum's number that its declaration does not list, or a text that is none of its names.
bool fail_unlisted(json_output& out);
bool fail_unlisted(json_input& in);

bool fail_valueless(json_output& out);
bool fail_repeated(json_input& in);  ///< an element that a set has already

/// A value that is none of a variant's kinds.
bool fail_kind(json_input& in, json_value const& from, json_kinds expected);

}  // namespace tablemap::detail
