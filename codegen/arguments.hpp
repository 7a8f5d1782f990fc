// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <string>
#include <vector>

/// What the function of an access pattern takes.
namespace tablemap::codegen {

struct argument {
    std::string name{};
    std::string member{};  ///< whose type it has; empty: a number of rows
    place at{};
};

struct argument_lists {
    std::vector<argument> partition{};  ///< values of the partition key; of `find_by` all values
    std::vector<argument> leading{};    ///< whole values of the row key
    std::vector<argument> bounds{};     ///< of the member after them
    std::vector<argument> conditions{};
    bool count = false;  ///< a number of rows

    /// In the order in which the function takes them.
    std::vector<argument> all() const;
};

/// Precondition: the index it names is there, and as many row members as it names.
argument_lists list_arguments(entity const& e, access const& a);

}  // namespace tablemap::codegen
