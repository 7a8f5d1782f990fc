// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/table_survey.hpp"
#include "codegen/model.hpp"

#include <string>
#include <vector>

namespace tablemap::inline v0_1::inspect {

struct inference_options {
    std::string space{};  ///< the namespace; empty: none
    std::string name{};   ///< of the struct, or the beginning of the names of several; empty: that of the rows
    bool enums = false;   ///< make enums of texts that are few
};

/// A schema whose structs read the rows that were surveyed.
struct inference {
    codegen::schema schema{};
    std::vector<std::string> warnings{};  ///< what the schema leaves out
};

/// Infers a schema from the rows of a table.
inference infer_schema(table_survey const& survey, inference_options const& how);

}  // namespace tablemap::inspect
