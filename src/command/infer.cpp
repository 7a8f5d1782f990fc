// SPDX-License-Identifier: Apache-2.0
#include "command/infer.hpp"

#include "codegen/check.hpp"
#include "command/finding_lines.hpp"
#include "command/output_file.hpp"
#include "codegen/front_end.hpp"
#include "inspect/infer_schema.hpp"
#include "inspect/table_survey.hpp"
#include "codegen/write_schema.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace tablemap::inline v0_1::command {
namespace {

/// The names are given before anything is read.
void check_names(infer_options const& o) {
    codegen::fault_list faults;
    if (!o.space.empty()) codegen::check_qualified({o.space, {}}, "a namespace", faults);
    codegen::check_global({o.space.empty() ? o.name : o.space, {}}, faults);
    if (!o.name.empty()) codegen::check_identifier({o.name, {}}, "an entity", faults);
    if (!faults.empty()) throw usage_error{faults.sorted().front().text};
}

inspect::survey_options survey_of(infer_options const& o, console& c) {
    inspect::survey_options how;
    how.rows = o.rows;
    how.exact = o.exact;
    how.type_property = o.type_property;
    how.progress = [&](std::uint64_t rows) { c.progress(o.table + ": " + counted(rows, "row")); };
    return how;
}

/// The text of a schema that tablemap-gen accepts.
std::string schema_text(codegen::schema const& s) {
    auto text = codegen::write_schema(s);
    codegen::fault_list faults;
    static_cast<void>(codegen::read_schema(text, faults));
    if (faults.empty()) return text;
    throw std::runtime_error{"no schema describes the table: " + faults.sorted().front().text};
}

void print_warnings(inspect::inference const& made, inspect::table_survey const& survey, console& c) {
    bool const typed = std::ranges::any_of(survey.kinds, [](auto const& k) { return !k.type.empty(); });
    if (!survey.type_property.empty() && !typed)
        c.note("warning: no row has text in the property " + printable(survey.type_property) + " of --type-property");
    for (auto const& w : made.warnings) c.note("warning: " + printable(w));
    if (!survey.complete)
        c.note("warning: only the first " + counted(survey.rows, "row") + (survey.rows == 1 ? " was" : " were") +
               " read; --rows reads more of them, --exact all");
}

}  // namespace

int infer(infer_options const& o, console& c) {
    if (o.file != "-") require_free(o.file, o.overwrite);
    check_names(o);
    auto const survey = inspect::survey_table(open_store(o.store), o.table, survey_of(o, c));
    c.end_progress();
    auto const made = inspect::infer_schema(survey, {o.space, o.name, o.enums});
    print_warnings(made, survey, c);
    if (made.schema.entities.empty())
        return c.fail(no, "the table " + o.table + " has no rows of entities, so there is nothing to infer from");
    auto const text = schema_text(made.schema);
    if (o.file == "-") {
        c.out() << text;
        return done;
    }
    write_file(o.file, o.overwrite, text);
    c.note("the schema of " + o.table + " was written to " + o.file);
    return done;
}

}  // namespace tablemap::inline v0_1::command
