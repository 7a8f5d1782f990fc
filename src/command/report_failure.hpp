// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"

namespace tablemap::inline v0_1::command {

/// Reports the exception that is being handled.
///
/// \pre called in a handler
/// \return `usage` for what the caller of the command has to change, else `failed`
int report_failure(console& c);

}  // namespace tablemap::inline v0_1::command
