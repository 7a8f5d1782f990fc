// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/wire/reader.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Rows as a store gives them to a reader of the same process: the keys and the stamp as they are, and the properties
/// as JSON. To write keys and stamp as JSON and to parse them again would cost 10 % of reading a short row.
///
/// The text begins with a mark, a byte with which no JSON begins, and its own size. Each row is its stamp, its sizes,
/// both keys, the properties, and a NUL.
namespace tablemap::inline v0_1::detail {

struct packed_row {
    row_heading heading;
    std::string_view properties;  ///< `,"name":value` for each, and a NUL behind the last one
};

/// True if the text begins as packed rows do. A text that is no response must be JSON: check that it is not packed.
bool are_packed(std::string_view body) noexcept;

/// Begins a text of packed rows, in place of what `out` holds.
void begin_packed(std::string& out);

/// To be called after the last row: a text without its end is refused as one that was cut off.
void end_packed(std::string& out);

/// Begins a row, behind which its properties are to be appended. Returns its place, for `end_packed_row`.
std::size_t begin_packed_row(std::string& out, row_heading const& heading);
void end_packed_row(std::string& out, std::size_t at);

/// Takes one row after the other. Precondition: `are_packed(body)`. The rows are views of the body.
class packed_reader {
public:
    explicit packed_reader(std::string_view body) noexcept;

    std::size_t bytes_left() const noexcept { return left_.size(); }

    /// Nothing if what follows is no row.
    std::optional<packed_row> next() noexcept;

private:
    std::string_view take(std::size_t size) noexcept;

    std::string_view left_;
};

}  // namespace tablemap::detail
