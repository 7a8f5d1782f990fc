// SPDX-License-Identifier: Apache-2.0
#include "command/lint.hpp"

#include "page/html.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

struct finding_count {
    std::size_t warnings = 0, hints = 0;
};

finding_count write_findings(page::table_report const& t, line_format lines, console& c) {
    finding_count count;
    for (auto const& f : t.findings) {
        bool const warns = f.level == page::weight::warning;
        ++(warns ? count.warnings : count.hints);
        write_line(c.out(), lines,
                   {.table = t.name,
                    .level = warns ? "warning" : "hint",
                    .rule = f.rule,
                    .text = f.text,
                    .partition_key = f.partition_key});
    }
    return count;
}

void note_unread(page::report const& r, console& c) {
    for (auto const& t : r.tables)
        if (!t.complete)
            c.note(t.name + ": the first " + page::with_separators(t.rows) +
                   " rows were read, and a sample of the others; --exact reads all");
    if (r.tables_left_out > 0) c.note(counted(r.tables_left_out, "table") + " were not read; name them to read them");
}

}  // namespace

int lint(lint_options const& o, console& c) {
    auto const how = gathering_of(o.reading, c);
    auto const made = page::gather_report(open_store(o.store), how);
    c.end_progress();
    finding_count all;
    for (auto const& t : made.tables) {
        auto const count = write_findings(t, o.lines, c);
        all.warnings += count.warnings, all.hints += count.hints;
    }
    c.out() << std::flush;
    note_unread(made, c);
    note_unused_schema(o.reading, made, c);
    auto const summary = counted(made.tables.size(), "table") + ": " + counted(all.warnings, "warning") + ", " +
                         counted(all.hints, "hint");
    if (all.warnings > 0 || (o.hints_fail && all.hints > 0)) return c.fail(no, summary);
    c.note(summary);
    return done;
}

}  // namespace tablemap::inline v0_1::command
