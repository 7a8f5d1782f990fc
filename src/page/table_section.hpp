// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "page/html.hpp"
#include "page/report.hpp"

namespace tablemap::inline v0_1::page {

/// The part of a report that tells about one table.
void write_table_section(html& to, table_report const& t, std::size_t number, bool browsable);

/// The findings, or a sentence if there are none.
void write_findings(html& to, std::vector<attention> const& all);

/// A number of rows that may be larger in the table.
void write_at_least(html& to, std::uint64_t n, bool exact);
void write_bytes_at_least(html& to, std::uint64_t n, bool exact);

}  // namespace tablemap::page
