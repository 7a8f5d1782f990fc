// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "layout.hpp"
#include "model.hpp"

#include <string>
#include <string_view>

namespace tablemap::codegen {

/// The header of a schema in which `check` found no faults: structs, mappings, repositories. `file` is the name of the
/// schema for the header's comment.
std::string write_header(schema const& s, std::string_view file);

/// The parts of the header.
void write_enum(code_writer& out, enumeration const& e);
void write_struct(code_writer& out, schema const& s, entity const& e);
void write_enumeration(code_writer& out, schema const& s, enumeration const& e);
void write_mapping(code_writer& out, schema const& s, entity const& e);
void write_repository(code_writer& out, schema const& s, entity const& e);

/// A name of the schema's namespace in a form that is found from everywhere, whatever else has the namespace's name.
std::string qualified(schema const& s, std::string const& name);

}  // namespace tablemap::codegen
