# SPDX-License-Identifier: Apache-2.0
#
# usage: cmake -DNAMESPACE=tablemap::codegen -DNAME=schema_text -DINPUT=schema.json -DOUTPUT=schema_text.hpp -P embed.cmake
#
# Makes a text a constant of the program.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "#pragma once

#include <string_view>

namespace ${NAMESPACE} {
inline constexpr std::string_view ${NAME} = R\"text(${text})text\";
}
")
