// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Tells whether rows are of several kinds.
namespace tablemap::inline v0_1::inspect {

/// The property whose text tells kinds apart, as `find_type_property`; empty if there is none. A property such as Type
/// may be one of the data: it tells kinds apart only if rows with different texts have different properties. One that
/// most rows lack does only if rows of indexes have it: nothing would tell the kinds of the others.
std::string find_telling_property(std::vector<dynamic_entity> const& rows);

/// The word with which a row key begins, with the separator behind it; the whole of a key that is a word. Empty for
/// other keys.
std::string_view beginning_of(std::string_view row_key) noexcept;

/// Kinds and indexes that the beginnings of row keys tell, of the rows that lack the text of the type property.
struct row_beginnings {
    bool tell_kinds = false;  ///< rows whose keys begin with another word are of another kind
    /// Beginnings of indexes whose rows have no type, each with that of the entities' row keys. All such row keys end
    /// with one of an entity of the same partition.
    std::map<std::string, std::string> indexes{};
};

row_beginnings find_beginnings(std::vector<dynamic_entity> const& rows, std::string const& type_property);

/// One row of another kind may be among so many others.
inline constexpr std::size_t rows_for_an_odd_one = 50;

/// The numbers of the rows, in their order, that are of another kind than the many others without a type: few rows that
/// have none of the others' usual properties, and whose keys have another form.
std::vector<std::size_t> find_odd_rows(std::vector<dynamic_entity> const& rows, std::string const& type_property);

}  // namespace tablemap::inspect
