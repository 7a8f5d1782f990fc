// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/table_survey.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace tablemap::inline v0_1::inspect {

/// An index as its rows show it. Members have the names of properties.
struct index_shape {
    key_shape key{};                                 ///< each part has a property
    bool unique = false;                             ///< its row keys do not end with those of entities
    std::optional<std::set<std::string>> include{};  ///< nothing: rows are whole copies
    key_shape row_key{};  ///< of the entities, with the names of members that are in no property
};

/// Recognises an index from its rows and those of its entities; nothing if the shape is not that of an index of the
/// mapping language, or if not every entity with the members of the key has a row.
std::optional<index_shape> find_index_shape(row_kind const& index, row_kind const& entity);

}  // namespace tablemap::inspect
