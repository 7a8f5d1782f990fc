// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// The one place where keys and values become parts of URLs.
namespace tablemap::inline v0_1::detail {

/// Appends text with every byte but the unreserved ones of RFC 3986 as %XX.
void append_percent_encoded(std::string& out, std::string_view text);

/// The bytes that %XX stand for; a per cent sign that begins no escape stays.
std::string percent_decoded(std::string_view text);

/// Takes what is in front of a character off a text, and the character; the whole text if it has none.
std::string_view take_field(std::string_view& text, char end) noexcept;

/// Appends `/T(PartitionKey='…',RowKey='…')`: quotes in keys doubled, then percent-encoded. `quote` is the frame's
/// quote, as it is or as %27.
void append_entity_path(std::string& out, std::string_view table, std::string_view partition_key,
                        std::string_view row_key, std::string_view quote = "'");

/// Appends `&name=value`, or `?name=value` to a target without a query. The name is taken as it is.
void append_query(std::string& target, std::string_view name, std::string_view value);

}  // namespace tablemap::detail
