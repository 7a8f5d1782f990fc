// SPDX-License-Identifier: Apache-2.0
#include "command/lint.hpp"

#include "base/digit_groups.hpp"
#include "page/findings.hpp"
#include "page/html.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

struct finding_count {
    std::size_t warnings = 0, hints = 0;
};

void write_finding(std::string const& table, page::attention const& f, line_format lines, console& c) {
    write_line(c.out(), lines,
               {.table = table,
                .level = f.level == page::weight::warning ? "warning" : "hint",
                .rule = f.rule,
                .entity = f.entity,
                .member = f.member,
                .rows = f.rows,
                .text = f.text,
                .partition_key = f.partition_key});
}

finding_count write_findings(page::report const& r, line_format lines, console& c) {
    finding_count count;
    for (auto const& t : r.tables)
        for (auto const& f : t.findings) {
            ++(f.level == page::weight::warning ? count.warnings : count.hints);
            write_finding(t.name, f, lines, c);
        }
    for (auto const& table : r.missing) write_finding(table, page::attention_to_missing_table(), lines, c);
    count.warnings += r.missing.size();
    return count;
}

void note_unread_rows(page::report const& r, console& c) {
    for (auto const& t : r.tables)
        if (!t.complete)
            c.note(t.name + ": the first " + detail::counted(t.rows, "row was", "rows were") +
                   " read, and a sample of the others; --exact reads all");
}

}  // namespace

int lint(lint_options const& o, console& c) {
    auto const how = gathering_of(o.reading, c);
    auto const made = page::gather_report(open_store(o.store), how);
    c.end_progress();
    auto const all = write_findings(made, o.lines, c);
    c.out() << std::flush;
    note_unread_rows(made, c);
    note_unread_tables(o.reading, made, c);
    auto const summary = counted(made.tables.size(), "table") + ": " + counted(all.warnings, "warning") + ", " +
                         counted(all.hints, "hint");
    if (all.warnings > 0 || (o.hints_fail && all.hints > 0)) return c.fail(no, summary);
    c.note(summary);
    return done;
}

}  // namespace tablemap::inline v0_1::command
