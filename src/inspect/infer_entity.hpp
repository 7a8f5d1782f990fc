// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/index_shapes.hpp"
#include "inspect/table_survey.hpp"
#include "codegen/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::inspect {

/// An entity for the rows of one kind, of which there is at least one.
///
/// \param name that of the struct
/// \param indexes those of the entity
/// \param warnings receives what the entity does not describe
codegen::entity infer_entity(table_survey const& survey, row_kind const& kind, std::string const& name,
                             std::vector<index_shape> const& indexes, std::vector<std::string>& warnings);

/// The texts of a property as an enum, if they are few and names; nothing otherwise.
std::optional<codegen::enumeration> find_enum_of(property_values const& p, std::string const& name);

}  // namespace tablemap::inspect
