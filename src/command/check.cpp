// SPDX-License-Identifier: Apache-2.0
#include "command/check.hpp"

#include "base/digit_groups.hpp"
#include "command/schema_file.hpp"
#include "inspect/schema_check.hpp"
#include "page/drift_text.hpp"
#include "page/html.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/table/table.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

namespace tablemap::inline v0_1::command {

namespace {

inspect::schema_check make_check(check_options const& o) {
    auto schema = read_schema(o.schema);
    try {
        return {std::move(schema), o.table, o.entities};
    } catch (inspect::schema_fault const& e) {
        throw usage_error{e.what()};
    }
}

/// True if all rows were read.
bool read_rows(table<dynamic_entity> const& t, std::size_t most, inspect::schema_check& check, console& c) {
    std::size_t rows = 0;
    auto const chosen = most == 0 ? t.scan() : t.scan().top(most + 1);
    for (auto const& row : chosen.read_ahead()) {
        if (most > 0 && rows == most) return false;
        check.add(row.value);
        if (++rows % 256 == 0) c.progress(t.name() + ": " + detail::counted(rows, "row", "rows"));
    }
    return true;
}

void write_entity(inspect::checked_entity const& e, check_options const& o, console& c) {
    auto text = e.name + ": " + counted(e.rows, "row");
    if (e.unreadable > 0) text += ", of which " + page::with_separators(e.unreadable) + " cannot be read";
    write_line(c.out(), o.lines,
               {.table = o.table, .level = "note", .rule = "rows", .entity = e.name, .rows = e.rows, .text = text});
}

void write_drift(inspect::drift const& d, check_options const& o, console& c) {
    auto const text = page::drift_text(d);
    finding_line line{.table = o.table,
                      .level = d.level == inspect::drift_level::error ? "error" : "note",
                      .rule = d.rule,
                      .entity = d.entity,
                      .member = d.member,
                      .rows = d.rows,
                      .text = text};
    if (d.rows > 0) line.partition_key = d.partition_key, line.row_key = d.row_key;
    write_line(c.out(), o.lines, line);
}

std::string summary_of(inspect::schema_report const& r) {
    auto text = counted(r.rows, "row");
    if (r.index_rows > 0) text += ", " + page::with_separators(r.index_rows) + " of them of indexes";
    if (r.companions > 0) text += ", " + page::with_separators(r.companions) + " of them kept beside entities";
    auto const errors = std::ranges::count(r.drifts, inspect::drift_level::error, &inspect::drift::level);
    text += ": " + counted(static_cast<std::uint64_t>(errors), "error");
    return r.left_out == 0 ? text : text + "; more differs than is listed";
}

}  // namespace

int check_rows(check_options const& o, console& c) {
    auto check = make_check(o);
    bool const complete = read_rows({open_store(o.store), o.table}, o.rows, check, c);
    c.end_progress();
    auto const found = check.finish();
    for (auto const& e : found.entities) write_entity(e, o, c);
    for (auto const& d : found.drifts) write_drift(d, o, c);
    c.out() << std::flush;
    if (!complete)
        c.note(o.table + ": the table has more rows than the " + counted(found.rows, "row") + " that were read");
    if (found.has_error()) return c.fail(no, o.table + ": " + summary_of(found));
    c.note(o.table + ": " + summary_of(found));
    return done;
}

}  // namespace tablemap::inline v0_1::command
