// SPDX-License-Identifier: Apache-2.0
#include "command/query.hpp"

#include "command/chosen_rows.hpp"
#include "command/finding_lines.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

output_format format_for(query_options const& o, console const& c) {
    if (o.output != output_format::automatic) return o.output;
    return c.is_terminal() ? output_format::table : output_format::jsonl;
}

/// The plan of a query does not know where its rows end.
int print_plan(query_range<dynamic_entity> const& rows, std::optional<std::size_t> top, console& c) {
    c.out() << rows.explain().text();
    if (top) c.out() << "top: reading ends when " << counted(*top, "row") << (*top == 1 ? " is" : " are") << " found\n";
    return done;
}

}  // namespace

int query(query_options const& o, console& c) {
    table<dynamic_entity> const t{open_store(o.store), o.rows.table};
    auto rows = chosen_rows(t, o.rows);
    if (o.explain) return print_plan(rows, o.rows.top, c);
    auto const writer = make_row_writer(format_for(o, c), c.out());
    for (auto const& row : rows) writer->write(row.value);
    writer->finish();
    return done;
}

}  // namespace tablemap::inline v0_1::command
