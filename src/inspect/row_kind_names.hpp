// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <optional>
#include <string_view>

/// Kinds of rows that show without the types of a program.
namespace tablemap::inline v0_1::inspect {

/// The type of an entity of any version: `employee` of `employee_v2`.
std::string_view without_version(std::string_view type);

/// A property with the type of a row.
struct type_tag {
    std::string_view property{};
    std::string_view type{};
};

/// The tag of a row of an index, whose discriminator ends with `_index`, with the type of its entity.
///
/// \par Lifetime
/// Refers to the row.
std::optional<type_tag> index_tag(dynamic_entity const& row);

/// The type of the entities of an index whose rows have this discriminator; empty if it is none of an index.
std::string_view indexed_type(std::string_view type);

}  // namespace tablemap::inspect
