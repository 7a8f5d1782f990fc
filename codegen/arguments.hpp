// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <string>
#include <vector>

/// The parameters of the function of an access pattern.
namespace tablemap::codegen {

struct argument {
    std::string name{};
    std::string member{};  ///< the member whose type it has; empty: a number of rows
    place at{};
};

struct argument_lists {
    std::vector<argument> partition{};  ///< values of the partition key; of `find_by` all values
    std::vector<argument> leading{};    ///< exact values of leading members of the row key
    std::vector<argument> bounds{};     ///< bounds of the member after them
    std::vector<argument> conditions{};
    bool count = false;  ///< a number of rows

    /// The parameters in their order.
    std::vector<argument> all() const;
};

/// Precondition: the index that the pattern names exists, and has as many row members as the pattern names.
argument_lists list_arguments(entity const& e, access const& a);

}  // namespace tablemap::codegen
