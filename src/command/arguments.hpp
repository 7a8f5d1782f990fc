// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"

namespace tablemap::inline v0_1::command {

/// Carries out a command line: reads the options of its subcommand and calls its function. Reports what that function
/// throws.
///
/// \return the exit code of the process
int run(int argc, char const* const* argv, console& c);

}  // namespace tablemap::inline v0_1::command
