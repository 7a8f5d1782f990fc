// SPDX-License-Identifier: Apache-2.0
#include "command/export.hpp"

#include "base/digit_groups.hpp"
#include "command/chosen_rows.hpp"
#include "command/named_blobs.hpp"
#include "command/output_file.hpp"
#include "command/unfinished_export.hpp"

#include <filesystem>
#include <ostream>
#include <utility>

namespace tablemap::inline v0_1::command {
namespace {

row_format written_format(export_options const& o) {
    return o.file == "-" ? o.format.value_or(row_format::jsonl) : format_of(o.file, o.format);
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

std::size_t write_all(std::vector<query_range<dynamic_entity>> const& ranges, row_writer& to, export_options const& o,
                      console& c) {
    std::size_t count = 0;
    named_blobs named;
    for (auto const& rows : ranges)
        for (auto const& row : rows.read_ahead()) {
            named.look_at(row.value);
            to.write(row.value);
            if (++count % 256 == 0) c.progress(o.rows.table + ": " + detail::counted(count, "row", "rows"));
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
    auto const format = written_format(o);
    if (o.resume && o.file == "-") throw usage_error{"--resume needs --output FILE"};
    if (o.resume && format == row_format::csv)
        throw usage_error{"an export of CSV cannot be resumed, since its first line is known at the end; export JSON "
                          "lines"};
    if (o.resume && o.rows.top) throw usage_error{"--resume and --top exclude each other"};
    if (o.resume) require_key_order(t, "an export cannot be resumed; begin anew");
    if (o.file != "-") require_free(o.file, o.overwrite);
}

/// The keys of the last row that an interrupted export wrote; nothing if it wrote none.
std::optional<entity_key> end_of_part(std::string const& part, export_note const& note) {
    if (std::filesystem::file_size(part) == 0) return std::nullopt;
    note.require();
    return cut_behind_last_row(part);
}

int to_file(export_options const& o, table<dynamic_entity> const& t, console& c) {
    output_file file{o.file, o.overwrite};
    export_note const note{file.part(), o.store, o.rows};
    auto const last = o.resume ? end_of_part(file.part(), note) : std::nullopt;
    auto const writer = make_row_writer(output_of(written_format(o)), file.begin(last.has_value()));
    if (!last) note.write();  // the part is empty now, so that no rows of another export belong to the note
    auto const count = write_all(last ? rows_behind(t, o.rows, *last) : all_rows(t, o.rows), *writer, o, c);
    file.finish();
    note.remove();
    c.note(o.rows.table + ": " +
           (last ? detail::counted(count, "more row", "more rows") : detail::counted(count, "row", "rows")) +
           " exported to " + o.file);
    return done;
}

}  // namespace

int export_rows(export_options const& o, console& c) {
    table<dynamic_entity> const t{open_store(o.store), o.rows.table};
    check(o, t);
    if (o.file != "-") return to_file(o, t, c);
    auto const writer = make_row_writer(output_of(written_format(o)), c.out());
    write_all(all_rows(t, o.rows), *writer, o, c);
    return done;
}

}  // namespace tablemap::inline v0_1::command
