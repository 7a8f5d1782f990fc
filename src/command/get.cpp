// SPDX-License-Identifier: Apache-2.0
#include "command/get.hpp"

#include "command/row_writer.hpp"
#include "tablemap/mapping/dynamic.hpp"
#include "tablemap/store/stored_row.hpp"
#include "tablemap/table/table.hpp"

#include <ostream>
#include <utility>

namespace tablemap::inline v0_1::command {

int get(get_options const& o, console& c) {
    table<dynamic_entity> const rows{open_store(o.store), o.table};
    auto found = rows.find(key_of<dynamic_entity>{o.partition_key, o.row_key});
    if (!found) return c.fail(no, "there is no row of these keys in the table " + o.table);
    require_names(found->value);
    stored_row row{std::move(found->value)};
    row.etag = found->etag;
    row.timestamp = found->timestamp;
    std::string json;
    append_row(json, row);
    c.out() << json << '\n';
    return done;
}

}  // namespace tablemap::inline v0_1::command
