// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/report.hpp"

namespace tablemap::inline v0_1::page {

/// Adds what the facts of a table tell a person to look at, and what to do: properties of several types, names that
/// differ only in case, rows without a type, values near the service's limits, index rows out of step, effects that are
/// late, rows that contradict the schema.
void add_findings(table_report& t);

/// A difference of a table from its schema.
attention attention_to(inspect::drift const& d);

/// About a table that the schema names and the store does not have.
attention attention_to_missing_table();

}  // namespace tablemap::page
