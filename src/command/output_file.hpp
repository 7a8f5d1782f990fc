// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tablemap::inline v0_1::command {

/// Checks before anything is read what would lose a file. "-" is the standard output.
///
/// \throws usage_error if the file is there and is not to be replaced, or is no file
void check_output(std::string const& file, bool overwrite);

/// Writes a file, which has its name only once it is whole.
void write_output(std::string const& file, std::string const& text);

}  // namespace tablemap::inline v0_1::command
