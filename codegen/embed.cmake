# SPDX-License-Identifier: Apache-2.0
#
# usage: cmake -DINPUT=schema.json -DOUTPUT=schema_text.hpp -P embed.cmake
#
# Makes a text a constant of the program.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "#pragma once

#include <string_view>

namespace tablemap::codegen {
inline constexpr std::string_view schema_text = R\"schema(${text})schema\";
}
")
