// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Tells whether rows are of several kinds.
namespace tablemap::inline v0_1::inspect {

/// The property whose text tells kinds apart, as `find_type_property`; empty if there is none. A property such as Type
/// may be one of the data: it tells kinds apart only if rows with different texts have different properties.
std::string find_telling_property(std::vector<dynamic_entity> const& rows);

/// The word with which a row key begins, with the separator behind it; the whole of a key that is a word. Empty for
/// other keys.
std::string_view beginning_of(std::string_view row_key) noexcept;

/// True if the beginnings of row keys tell kinds apart, among the rows that lack the text of this property.
bool beginnings_tell_kinds(std::vector<dynamic_entity> const& rows, std::string const& type_property);

/// The beginnings of row keys of indexes whose rows have no type, each with the beginning of the entities' row keys.
/// All such row keys end with that of an entity of the same partition.
std::map<std::string, std::string> find_index_beginnings(std::vector<dynamic_entity> const& rows,
                                                         std::string const& type_property);

}  // namespace tablemap::inspect
