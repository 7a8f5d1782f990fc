// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

/// Cuts a file of JSON lines behind its last whole line, since the process that wrote it may have ended within one.
///
/// \return the keys of that line; nothing if there is none
/// \throws std::runtime_error if the line is no row
std::optional<entity_key> cut_behind_last_row(std::string const& file);

}  // namespace tablemap::inline v0_1::command
