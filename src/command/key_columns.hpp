// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/row_source.hpp"

#include <array>
#include <string>

/// Properties of a file that become keys.
namespace tablemap::inline v0_1::command {

/// The names of the properties that are the keys.
std::array<std::string, 2> names_of(key_names const& keys);

bool is_key(key_names const& keys, std::string const& name);

/// Moves the properties that are keys into the keys.
///
/// \return empty, or what is wrong
std::string take_keys(dynamic_entity& e, key_names const& keys);

}  // namespace tablemap::inline v0_1::command
