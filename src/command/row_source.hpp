// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/csv.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Rows of files.
namespace tablemap::inline v0_1::command {

enum class row_format { csv, jsonl };

/// The format of a name that ends with .csv, .jsonl, .ndjson or .json; nothing for another.
std::optional<row_format> format_of_name(std::string const& name);

/// The format that is given, or else that of the name.
///
/// \throws usage_error if neither tells one
row_format format_of(std::string const& name, std::optional<row_format> given);

/// Properties of a file that are the keys of its rows; empty: PartitionKey and RowKey.
struct key_names {
    std::string partition{};
    std::string row{};
};

/// A row of a file, or what is wrong with it.
struct source_row {
    dynamic_entity value{};
    file_place place{};
    std::string fault{};  ///< empty: none
};

/// Rows of a file, read one at a time.
class row_source {
public:
    virtual ~row_source() = default;

    /// The next row, or nothing at the end. A row that cannot be read is returned with its fault.
    ///
    /// \throws file_fault if what follows cannot be read either
    virtual std::optional<source_row> next() = 0;

    /// The number of bytes read so far.
    virtual std::size_t bytes() const noexcept = 0;
};

/// Reads CSV. The first record names the columns: `Name:Edm.Int64`, or the name alone. An empty field that is not in
/// quotes is no value.
///
/// `again` opens the file once more, to find the types of columns that have none; null if that cannot be done.
///
/// \throws file_fault for a first record that cannot be understood
std::unique_ptr<row_source> read_csv(std::istream& in, key_names keys,
                                     std::function<std::unique_ptr<std::istream>()> const& again);

/// Reads one JSON object a line, in the service's notation: `"Name@odata.type":"Edm.Int64"` tells a type. Etags,
/// timestamps and nulls are passed over.
std::unique_ptr<row_source> read_json_lines(std::istream& in, key_names keys);

}  // namespace tablemap::inline v0_1::command
