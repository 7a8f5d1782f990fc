// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"

#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

/// Cuts the file of an unfinished export behind its last whole line, since the process that wrote it may have ended
/// within one.
///
/// \return the keys of that line; nothing if there is none
/// \throws std::runtime_error if that line or what is behind it is no row. The file is as it was then
std::optional<entity_key> cut_behind_last_row(std::string const& file);

}  // namespace tablemap::inline v0_1::command
