// SPDX-License-Identifier: Apache-2.0
#include "command/table_reading.hpp"

#include "command/finding_lines.hpp"
#include "command/open_store.hpp"
#include "command/schema_file.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::command {
namespace {

inspect::checked_schema schema_of(table_reading const& o) {
    auto schema = read_schema_of_tables(o.schema);
    auto const is_named = [&](std::string const& table) { return schema.has_table(table); };
    if (!o.tables.empty() && std::ranges::none_of(o.tables, is_named))
        throw usage_error{"the schema " + o.schema + " names none of these tables; name one that it has"};
    return schema;
}

}  // namespace

page::gathering gathering_of(table_reading const& o, console& c) {
    page::gathering how;
    how.tables = o.tables;
    how.rows = o.rows;
    how.exact = o.exact;
    how.type_property = o.type_property;
    if (!o.schema.empty()) how.schema = schema_of(o);
    how.progress = [&c](std::string const& line) { c.progress(line); };
    return how;
}

void note_unread_tables(table_reading const& o, page::report const& made, console& c) {
    if (made.tables_left_out > 0)
        c.note(counted(made.tables_left_out, "table") + " were not read; name them to read them");
    if (o.schema.empty()) return;
    for (auto const& t : made.tables)
        if (!o.tables.empty() && !t.drift)
            c.note(t.name + ": the schema does not name the table, so its rows were not compared with it");
}

}  // namespace tablemap::inline v0_1::command
