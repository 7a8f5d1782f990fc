// SPDX-License-Identifier: Apache-2.0
#include "command/report.hpp"

#include "base/durable_file.hpp"
#include "page/gathering.hpp"
#include "page/report_page.hpp"

#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>

namespace tablemap::inline v0_1::command {
namespace {

namespace fs = std::filesystem;

/// Checks before anything is read what would lose a file.
void check(report_options const& o) {
    if (o.file == "-") return;
    if (detail::is_no_file(o.file))
        throw usage_error{o.file + " is no file; leave --output out, and direct the standard output there"};
    if (fs::exists(o.file) && !o.overwrite)
        throw usage_error{"the file " + o.file + " is there already; --overwrite replaces it"};
}

/// The file has its name only once it is whole.
void write_report(std::string const& file, std::string const& text) {
    auto const part = file + ".part";
    std::ofstream out{part, std::ios::binary | std::ios::trunc};
    if (!out) throw std::runtime_error{"cannot write the file " + part};
    out << text;
    out.close();
    if (!out) throw std::runtime_error{"cannot write the file " + part + "; is there room?"};
    detail::rename_durably(part, file);
}

}  // namespace

int report(report_options const& o, console& c) {
    check(o);
    auto how = gathering_of(o.reading, c);
    how.title = o.title;
    auto const made = page::gather_report(open_store(o.store), how);
    c.end_progress();
    auto const text = page::report_page(made);
    if (o.file == "-") {
        c.out() << text;
        return done;
    }
    write_report(o.file, text);
    auto const count = made.tables.size();
    c.note(std::to_string(count) + (count == 1 ? " table" : " tables") + " reported to " + o.file);
    return done;
}

}  // namespace tablemap::inline v0_1::command
