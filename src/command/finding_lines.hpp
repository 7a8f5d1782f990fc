// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::command {

enum class line_format { text, jsonl };

/// Something that was found in a table.
struct finding_line {
    std::string_view table;
    std::string_view level;     ///< such as `warning`
    std::string_view rule;      ///< a word for programs
    std::string_view entity{};  ///< empty: none
    std::string_view member{};  ///< or property; empty: none
    std::uint64_t rows = 0;     ///< 0: they are not counted
    std::string_view text;
    std::optional<std::string> partition_key{};  ///< of the row that it is about, or the first one
    std::optional<std::string> row_key{};
};

/// A number of things in words, such as "1 row" and "2,000 rows".
std::string counted(std::uint64_t n, std::string const& one);

/// Writes one line: for people `table: level: text (partition 'p', row 'r')`, or a JSON object with what there is.
void write_line(std::ostream& out, line_format form, finding_line const& f);

}  // namespace tablemap::inline v0_1::command
