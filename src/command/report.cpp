// SPDX-License-Identifier: Apache-2.0
#include "command/report.hpp"

#include "command/output_file.hpp"
#include "page/gathering.hpp"
#include "page/report_page.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {

int report(report_options const& o, console& c) {
    if (o.file != "-") require_free(o.file, o.overwrite);
    auto how = gathering_of(o.reading, c);
    how.title = o.title;
    auto const made = page::gather_report(open_store(o.store), how);
    c.end_progress();
    note_unread_tables(o.reading, made, c);
    auto const text = page::report_page(made);
    if (o.file == "-") {
        c.out() << text;
        return done;
    }
    write_file(o.file, o.overwrite, text);
    auto const count = made.tables.size();
    c.note(std::to_string(count) + (count == 1 ? " table" : " tables") + " reported to " + o.file);
    return done;
}

}  // namespace tablemap::inline v0_1::command
