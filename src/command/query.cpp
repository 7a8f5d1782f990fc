// SPDX-License-Identifier: Apache-2.0
#include "command/query.hpp"

#include "command/chosen_rows.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

output_format format_for(query_options const& o, console const& c) {
    if (o.output != output_format::automatic) return o.output;
    return c.is_terminal() ? output_format::table : output_format::jsonl;
}

}  // namespace

int query(query_options const& o, console& c) {
    table<dynamic_entity> const t{open_store(o.store), o.rows.table};
    auto rows = chosen_rows(t, o.rows);
    if (o.explain) {
        c.out() << rows.explain().text();
        return done;
    }
    auto const writer = make_row_writer(format_for(o, c), c.out());
    for (auto const& row : rows) writer->write(row.value);
    writer->finish();
    return done;
}

}  // namespace tablemap::inline v0_1::command
