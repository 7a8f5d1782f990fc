// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <string>

/// Files of the embedded store.
namespace tablemap::inline v0_1::command {

/// A subcommand that takes an embedded store alone.
struct file_options {
    store_options store{};
};

struct file_copy {
    store_options store{};
    std::string file{};      ///< the backup
    bool overwrite = false;  ///< replace what is there
};

int backup(file_copy const& o, console& c);
int restore(file_copy const& o, console& c);
int compact(file_options const& o, console& c);
int upgrade(file_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command
