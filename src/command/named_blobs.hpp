// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/console.hpp"

#include "tablemap/mapping/dynamic.hpp"

#include <cstddef>
#include <string>

namespace tablemap::inline v0_1::command {

/// Counts the rows that name blobs of large members, which are not part of the rows.
class named_blobs {
public:
    void look_at(dynamic_entity const& row);

    /// Says how many rows of the table name blobs, if any do.
    void report(std::string const& table, console& c) const;

private:
    std::size_t rows_ = 0;
};

}  // namespace tablemap::inline v0_1::command
