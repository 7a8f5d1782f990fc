// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <string>

namespace tablemap::codegen {

/// A schema as JSON, in the form that `read_schema` reads. Names and texts are written as they are, valid UTF-8.
std::string write_schema(schema const& s);

}  // namespace tablemap::codegen
