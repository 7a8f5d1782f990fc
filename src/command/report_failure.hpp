// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"

#include "tablemap/base/error.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1::command {

/// The text of an error for users of the command, who know subcommands and options, no functions. With the text of the
/// store, which is the user's own: they asked for it on a console.
///
/// `place` is the kind of what the error names as its table, `remedy` comes in place of the usual one.
std::string message_of(error const& e, std::string_view place = "table", std::string_view remedy = {});

/// Reports the exception that is being handled.
///
/// \pre called in a handler
/// \return `usage` for what the caller of the command has to change, else `failed`
int report_failure(console& c);

}  // namespace tablemap::inline v0_1::command
