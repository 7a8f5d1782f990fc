// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inspect/drift_list.hpp"

#include <string>

namespace tablemap::inline v0_1::page {

/// A difference in one line, such as "employee.age: it is missing, in 2 rows; write it".
std::string drift_text(inspect::drift const& d);

}  // namespace tablemap::page
