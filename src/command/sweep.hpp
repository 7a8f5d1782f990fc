// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"
#include "command/open_store.hpp"

#include <string>

namespace tablemap::inline v0_1::command {

struct sweep_options {
    store_options store{};
    std::string table{};
    std::string container{};  ///< with the blobs of the table's large members
    int grace_hours = 24;     ///< a writer has so much time from its permit to its commit
    double per_second = 0;    ///< the most blobs in a second; 0: no limit
    std::string cursor{};     ///< where a sweep ended early; empty: begin anew
};

/// Deletes the blobs of large members that no row names, and prints what was done. Names alone decide, so it takes no
/// types of a program.
int sweep(sweep_options const& o, console& c);

}  // namespace tablemap::inline v0_1::command
