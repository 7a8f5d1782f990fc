// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/report.hpp"

#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::page {

struct type_share {
    edm_type type{};
    std::uint64_t rows = 0;
    double share = 0;  ///< of the rows that have the property
};

/// The types of a property, that of most rows first.
std::vector<type_share> types_of(property_fact const& p);

/// "Int32" of Edm.Int32.
std::string_view short_name(edm_type t);

}  // namespace tablemap::page
