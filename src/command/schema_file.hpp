// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/gathering.hpp"

#include <functional>
#include <string>

/// Schemas of tablemap-gen.
namespace tablemap::inline v0_1::command {

/// The content of a schema, at most 16 MiB.
///
/// \throws usage_error if it cannot be read, or is larger
std::string read_schema_file(std::string const& file);

/// The tests whether rows are of entities of a schema, for tables that it names; an empty one for others.
///
/// \throws usage_error as above, and for a schema with errors
std::function<page::row_test(std::string const& table)> rows_of_schema(std::string const& file);

}  // namespace tablemap::inline v0_1::command
