// SPDX-License-Identifier: Apache-2.0
#include "command/export.hpp"

#include "command/chosen_rows.hpp"
#include "base/durable_file.hpp"
#include "command/named_blobs.hpp"
#include "command/unfinished_export.hpp"

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

namespace fs = std::filesystem;

row_format format_of(export_options const& o) {
    if (o.format) return *o.format;
    return format_of_name(o.file).value_or(row_format::jsonl);
}

output_format output_of(row_format f) { return f == row_format::csv ? output_format::csv : output_format::jsonl; }

/// The rows behind those that an interrupted export wrote.
std::vector<query_range<dynamic_entity>> rows_behind(table<dynamic_entity> const& t, row_choice const& choice,
                                                     entity_key const& last) {
    row_choice partition = choice;
    partition.partition = last.partition_key;
    std::vector<query_range<dynamic_entity>> ranges;
    ranges.push_back(chosen_rows(t, partition).where(raw_filter{"RowKey gt {}", last.row_key}));
    if (!choice.partition)
        ranges.push_back(chosen_rows(t, choice).where(raw_filter{"PartitionKey gt {}", last.partition_key}));
    return ranges;
}

std::size_t write_all(std::vector<query_range<dynamic_entity>> ranges, row_writer& to, export_options const& o,
                      console& c) {
    std::size_t count = 0;
    named_blobs named;
    for (auto& rows : ranges)
        for (auto const& row : rows.read_ahead()) {
            named.look_at(row.value);
            to.write(row.value);
            if (++count % 256 == 0) c.progress(o.rows.table + ": " + std::to_string(count) + " rows");
        }
    to.finish();
    named.report(o.rows.table, c);
    return count;
}

std::vector<query_range<dynamic_entity>> all_rows(table<dynamic_entity> const& t, row_choice const& choice) {
    std::vector<query_range<dynamic_entity>> ranges;
    ranges.push_back(chosen_rows(t, choice));
    return ranges;
}

/// Checks what would lose a file, or rows.
void check(export_options const& o, table<dynamic_entity> const& t) {
    if (o.resume && o.file == "-") throw usage_error{"--resume needs --output FILE"};
    if (o.resume && format_of(o) == row_format::csv)
        throw usage_error{"an export of CSV cannot be resumed, since its first line is known at the end; export JSON "
                          "lines"};
    if (o.resume && o.rows.top) throw usage_error{"--resume and --top exclude each other"};
    if (o.resume) require_key_order(t, "an export cannot be resumed; begin anew");
    if (o.file != "-" && detail::is_no_file(o.file))
        throw usage_error{o.file + " is no file; leave --output out, and direct the standard output there"};
    if (o.file != "-" && fs::exists(o.file) && !o.overwrite)
        throw usage_error{"the file " + o.file + " is there already; --overwrite replaces it"};
}

int to_file(export_options const& o, table<dynamic_entity> const& t, console& c) {
    auto const part = o.file + ".part";
    std::optional<entity_key> last;
    if (o.resume && fs::exists(part)) last = cut_behind_last_row(part);
    std::ofstream out{part, std::ios::binary | (last ? std::ios::app : std::ios::trunc)};
    if (!out) throw std::runtime_error{"cannot write the file " + part};
    auto const writer = make_row_writer(output_of(format_of(o)), out);
    auto const count = write_all(last ? rows_behind(t, o.rows, *last) : all_rows(t, o.rows), *writer, o, c);
    out.close();
    if (!out) throw std::runtime_error{"cannot write the file " + part + "; is there room?"};
    detail::rename_durably(part, o.file);
    c.note(o.rows.table + ": " + std::to_string(count) + " rows exported to " + o.file);
    return done;
}

}  // namespace

int export_rows(export_options const& o, console& c) {
    table<dynamic_entity> const t{open_store(o.store), o.rows.table};
    check(o, t);
    if (o.file != "-") return to_file(o, t, c);
    auto const writer = make_row_writer(output_of(format_of(o)), c.out());
    write_all(all_rows(t, o.rows), *writer, o, c);
    return done;
}

}  // namespace tablemap::inline v0_1::command
