// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>

/// Rows as text.
namespace tablemap::inline v0_1::command {

enum class output_format {
    automatic,  ///< a table on a terminal, else JSON lines
    table,
    jsonl,
    csv,
};

/// Writes rows, one after the other, in memory that does not grow with their number.
class row_writer {
public:
    virtual ~row_writer() = default;
    virtual void write(dynamic_entity const& row) = 0;

    /// Writes what is still held back. Called once, after the last row.
    virtual void finish() = 0;
};

/// No store has names with quotes or control characters, but a server may answer anything, and names are written as
/// they are.
///
/// \throws std::runtime_error
void require_names(dynamic_entity const& row);

/// Called after each write, so that a failed one ends the work at once.
///
/// \throws std::runtime_error
void require_written(std::ostream const& out);

/// Writes JSON lines as `read_json_lines` reads them.
std::unique_ptr<row_writer> write_json_lines(std::ostream& out);

/// Writes CSV as `read_csv` reads it, with types in the first line. Rows wait in a temporary file until all columns are
/// known. A property of several types has a column for each.
std::unique_ptr<row_writer> write_csv(std::ostream& out);

/// Writes columns for people, in blocks of rows that have the same columns.
std::unique_ptr<row_writer> write_table(std::ostream& out);

/// \pre `f` is not `automatic`
std::unique_ptr<row_writer> make_row_writer(output_format f, std::ostream& out);

}  // namespace tablemap::inline v0_1::command
