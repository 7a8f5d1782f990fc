// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/schema_check.hpp"

#include <string>

/// Schemas of tablemap-gen.
namespace tablemap::inline v0_1::command {

/// The schema in a file of at most 16 MiB.
///
/// \throws usage_error if it cannot be read, is larger, or has errors
inspect::checked_schema read_schema(std::string const& file);

/// A schema whose entities name tables.
///
/// \throws usage_error as above, and if it names none
inspect::checked_schema read_schema_of_tables(std::string const& file);

}  // namespace tablemap::inline v0_1::command
