// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/key_shapes.hpp"
#include "tablemap/detail/keys/part_layout.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The texts of keys by shapes, as the library's codec of keys writes and reads them.
namespace tablemap::inline v0_1::inspect {

inline constexpr std::size_t most_parts = 24;

/// The layout of one part by itself.
///
/// \par Lifetime
/// Refers to the part's literal.
detail::part_layout layout_of(key_shape_part const& part);

/// The layouts of a whole key.
///
/// \pre at most `most_parts` parts
/// \par Lifetime
/// Refers to the literals of the shape.
std::vector<detail::part_layout> layouts_of(key_shape const& shape);

using part_texts = std::vector<std::string_view>;

/// The texts of the parts of a key, a literal's too; nothing if the key cannot be read by these layouts.
std::optional<part_texts> split_key(std::string_view key, std::vector<detail::part_layout> const& layouts);

/// A value of one kind that a part may hold; it owns its text.
struct key_value {
    std::uint64_t number = 0;
    std::string text{};
    guid id{};
};

/// The value that a part's text is of; nothing if it is of none.
std::optional<key_value> read_value(detail::part_layout const& layout, std::string_view text);

/// The value of a property for a part, and its kind; nothing for a binary, which no part holds.
std::optional<key_value> value_of(property_value const& v);
value_kind kind_of(edm_type t);

/// The text of a value in a part; nothing if the part does not take it.
std::optional<std::string> text_of(detail::part_layout const& layout, key_value const& value);

}  // namespace tablemap::inspect
