// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json_tree.hpp"
#include "model.hpp"
#include "object_reader.hpp"

#include <string_view>

namespace tablemap::codegen {

/// Reads a schema from JSON and checks it. Faults are added to `faults`; the schema may be used only if there are none.
schema read_schema(std::string_view json, fault_list& faults);

/// The parts of reading.
schema read_structure(json_node const& root, fault_list& faults);
entity read_entity(json_member const& from, fault_list& faults);
access read_access(json_member const& from, fault_list& faults);

/// A literal of a default or a condition. Fault: it is null, an array or an object.
std::optional<value> read_literal(json_node const& node, fault_list& faults);

}  // namespace tablemap::codegen
