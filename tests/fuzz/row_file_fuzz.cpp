// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "command/row_importer.hpp"
#include "command/row_source.hpp"
#include "command/row_writer.hpp"

#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

/// Input: a line "csv" or another one, then a file of rows. Rows of JSON lines are written as they were read, and so
/// are the records of CSV.
namespace tablemap::fuzz {
namespace {

using namespace command;

void check_records(std::string const& text) {
    std::istringstream in{text};
    csv_reader reader{in};
    for (std::vector<csv_field> record, again; reader.next(record);) {
        std::string line;
        for (auto const& f : record) {
            if (!line.empty()) line += ',';
            append_csv_field(line, f.text);
        }
        // At the beginning of a file the mark of UTF-8 is no part of a field.
        std::istringstream written{"first\n" + line + "\n"};
        csv_reader second{written};
        require(second.next(again) && second.next(again) && again.size() == record.size(), "a record has its fields");
        for (std::size_t i = 0; i < record.size(); ++i)
            require(again[i].text == record[i].text, "a field is read back");
    }
}

/// Stores refuse rows with other names, which JSON may take for annotations.
bool has_valid_names(dynamic_entity const& row) {
    return std::ranges::all_of(detail::properties_of(row),
                               [](auto const& p) { return check_property_name(p.name).has_value(); });
}

void check_row(dynamic_entity const& row) {
    if (!has_valid_names(row)) return;
    std::stringstream text;
    write_json_lines(text)->write(row);
    auto const again = read_json_lines(text, {})->next();
    require(again && again->fault.empty(), "a row that was written is read");
    require(again->value.row_key == row.row_key && find_difference(again->value, row).empty(), "it is the same");
}

std::unique_ptr<row_source> source_of(std::istream& in, std::string const& text, bool csv) {
    if (!csv) return read_json_lines(in, {});
    return read_csv(in, {}, [&] { return std::make_unique<std::istringstream>(text); });
}

}  // namespace

TABLEMAP_FUZZ_TARGET(row_file) {
    bool const csv = take_line(input) == "csv";
    std::string const text{input};
    std::istringstream in{text};
    try {
        if (csv) check_records(text);
        auto const source = source_of(in, text, csv);
        while (auto const row = source->next())
            if (row->fault.empty() && !csv) check_row(row->value);
    } catch (file_fault const& f) {
        require(f.place.line >= 1 && f.place.column >= 1, "a fault has its place");
    }
}

}  // namespace tablemap::fuzz
