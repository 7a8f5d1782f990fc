// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/base/static_list.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/detail/keys/key_pair.hpp"
#include "tablemap/detail/keys/part_layout.hpp"
#include "tablemap/detail/keys/part_value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Writing and reading the text of keys: the ordinary functions below the templates of `key_codec.hpp`.
namespace tablemap::inline v0_1::detail {

/// False if a key lacks the literals of these parts: then it was made by another mapping. Values are not looked at. Any
/// key has those of no parts.
bool has_literals(static_list<part_layout> parts, std::string_view text) noexcept;

// ---- one part -------------------------------------------------------------------------------------------------------

/// Appends a part. Errors: `library_errc::key_part_does_not_fit`, `library_errc::invalid_key`, with the member.
std::optional<error> append_part(std::string& out, part_layout const& p, part_value const& value);

/// Appends the text that all keys begin with whose text in this part begins with `prefix`. Errors: as `append_part`.
/// Precondition: `p` is text, not hashed.
std::optional<error> append_text_prefix(std::string& out, part_layout const& p, std::string_view prefix);

/// Appends a bucket's number as `spread` writes it.
void append_bucket(std::string& out, part_layout const& p, std::uint64_t bucket);

/// The number of bytes of this part at the start of `text`, for a part that ends itself; more than there are if it does
/// not end.
std::size_t length_of_part(part_layout const& p, std::string_view text) noexcept;

/// Reads a whole part. False if the text is not what `append_part` writes for some value.
bool read_part(part_layout const& p, std::string_view text, parsed_part& value);

// ---- whole keys -----------------------------------------------------------------------------------------------------

/// The text that ends part `index`, if that varies in length and does not end itself; empty for all others.
std::string_view literal_after(part_layout const* parts, std::size_t count, std::size_t index) noexcept;

/// Appends the first `upto` of `count` parts. Errors: as `append_part`.
result<void> append_parts(std::string& out, part_layout const* parts, part_value const* values, std::size_t count,
                          std::size_t upto);

/// Checks a key that `append_parts` made of these values. Errors: `library_errc::key_part_does_not_fit` for an empty
/// one that must not be, `key_too_large`, each with the member at fault.
result<void> check_made_key(std::string_view key, part_layout const* parts, part_value const* values,
                            std::size_t count);

/// Makes a key. Errors: as `append_part` and `check_made_key`.
result<void> make_key_text(std::string& out, part_layout const* parts, part_value const* values, std::size_t count);

/// The same of the members at these addresses, one for each part, null for a literal. Errors: also those of
/// converters, with the member.
result<void> make_key_text(std::string& out, static_list<part_layout> parts, void const* const* members);

/// Reads a key into the members at these addresses, one for each part, null where nothing is read. They are touched
/// only if every part has a form that the mapping writes. Errors: `library_errc::unreadable_key`, with the member whose
/// part it is where there is one.
result<void> read_key_text(std::string_view text, static_list<part_layout> parts, void* const* members);

/// The same where the other key has given some members already, `given`, null for the others. `differs`: the first part
/// whose value is not that of its member; the number of parts if there is none.
result<void> read_key_text(std::string_view text, static_list<part_layout> parts, void* const* members,
                           void const* const* given, std::size_t* differs);

/// Makes both keys of their values. Errors: as `make_key_text`.
result<void> make_both_keys(key_pair const& keys, void const* const* values, std::string& partition_key,
                            std::string& row_key);

/// The least text above every text that begins with `prefix`, in UTF-16 code unit order; nothing if there is none,
/// because the prefix is empty or all U+FFFF. It may hold characters that keys cannot: it is a bound, not a key.
/// Precondition: valid UTF-8.
std::optional<std::string> end_of_prefix(std::string_view prefix);

/// True if two members have the same value in this part. True, too, if one of them cannot be converted: making its key
/// gives the error.
bool have_same_part(part_layout const& p, void const* a, void const* b);

error part_unreadable(std::string_view member);

/// The error of a converter as that of making a key of the member.
error part_not_converted(error const& e, std::string_view member);

// ---- forms of text --------------------------------------------------------------------------------------------------

// Both expect valid UTF-8.
void append_escaped(std::string& out, std::string_view text);
void append_inverted_units(std::string& out, std::string_view text);

// False if the text is not what the functions above write.
bool read_escaped(std::string_view text, std::string& value);
bool read_inverted_units(std::string_view text, std::string& value);

/// The hash of `hashed()` and `spread<N>`.
std::uint64_t hash_of_text(std::string_view text) noexcept;

inline constexpr std::uint32_t first_supplementary = 0x10000;

/// Takes the first code point off valid UTF-8 text.
std::uint32_t take_code_point(std::string_view& text) noexcept;
void append_code_point(std::string& out, std::uint32_t c);

}  // namespace tablemap::detail
