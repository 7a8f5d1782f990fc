// SPDX-License-Identifier: Apache-2.0
#include "command/report.hpp"

#include "command/output_file.hpp"
#include "page/gathering.hpp"
#include "page/report_page.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

page::gathering gathering_of(report_options const& o, console& c) {
    page::gathering how;
    how.title = o.title;
    how.tables = o.tables;
    how.rows = o.rows;
    how.exact = o.exact;
    how.type_property = o.type_property;
    how.progress = [&c](std::string const& line) { c.progress(line); };
    return how;
}

}  // namespace

int report(report_options const& o, console& c) {
    check_output(o.file, o.overwrite);
    auto const made = page::gather_report(open_store(o.store), gathering_of(o, c));
    c.end_progress();
    auto const text = page::report_page(made);
    if (o.file == "-") {
        c.out() << text;
        return done;
    }
    write_output(o.file, text);
    auto const count = made.tables.size();
    c.note(std::to_string(count) + (count == 1 ? " table" : " tables") + " reported to " + o.file);
    return done;
}

}  // namespace tablemap::inline v0_1::command
