// SPDX-License-Identifier: Apache-2.0
#include "command/table_reading.hpp"

#include "command/open_store.hpp"
#include "command/schema_file.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::command {
namespace {

inspect::checked_schema schema_of(table_reading const& o) {
    auto schema = read_schema(o.schema);
    auto const is_named = [&](std::string const& table) { return schema.has_table(table); };
    if (!o.tables.empty() && std::ranges::none_of(o.tables, is_named))
        throw usage_error{"the schema " + o.schema + " names none of these tables; give its entities a \"table\""};
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

void note_unused_schema(table_reading const& o, page::report const& made, console& c) {
    bool const used = std::ranges::any_of(made.tables, [](auto const& t) { return t.drift.has_value(); });
    if (!o.schema.empty() && !used)
        c.note("the schema names none of these tables, so their rows were not compared with it");
}

}  // namespace tablemap::inline v0_1::command
