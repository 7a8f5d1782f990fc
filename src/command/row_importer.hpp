// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Writing of rows that may be repeated.
namespace tablemap::inline v0_1::command {

// Limits of `import` and `copy`: what they keep in memory, and how many rows that are not stored they name.
inline constexpr std::size_t chunk_rows = 5'000;
inline constexpr std::size_t chunk_bytes = 16 * 1024 * 1024;
inline constexpr std::size_t most_reports = 20;

enum class write_mode {
    insert,   ///< a row that is there already is left: it is done if it is equal, else a problem
    replace,  ///< a row that is there already is replaced
};

/// The state of one row, and the reason if it is not stored.
struct row_result {
    row_state state = row_state::not_sent;
    bool was_there = false;  ///< stored before, and equal
    std::string reason{};
};

/// Writes rows, so many at a time as its caller keeps in memory. A write that is repeated, after a crash or a lost
/// response, stores each row once.
class row_importer {
public:
    row_importer(table<dynamic_entity> t, write_mode mode) : table_(std::move(t)), mode_(mode) {}

    /// Writes rows and waits for all of them.
    ///
    /// \return one element for each row
    /// \throws error for a fault that concerns every row, such as a missing table. Rows may be stored all the same;
    /// writing them again does no harm
    std::vector<row_result> write(std::span<dynamic_entity const> rows);

private:
    using places = std::vector<std::size_t>;

    void write_part(std::span<dynamic_entity const> rows, places which, std::vector<row_result>& results);
    places send(std::span<dynamic_entity const> rows, places const& which, std::vector<row_result>& results);
    places look(std::span<dynamic_entity const> rows, places const& which, std::vector<row_result>& results) const;

    table<dynamic_entity> table_;
    write_mode mode_;
    bool tried_ = false;
    bool look_first_ = false;  ///< rows of the last part were there: reading is cheaper than refused groups
};

/// Compares the properties of two rows, in any order. NaN is equal to NaN.
///
/// \return empty if they are equal, else the name of a property in which they differ
std::string find_difference(dynamic_entity const& a, dynamic_entity const& b);

}  // namespace tablemap::inline v0_1::command
