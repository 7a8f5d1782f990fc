// SPDX-License-Identifier: Apache-2.0
#include "command/tables.hpp"

#include "tablemap/table/service.hpp"

#include <ostream>

namespace tablemap::inline v0_1::command {
namespace {

int list(table_service const& service, tables_options const& o, console& c) {
    for (auto const& name : service.tables(o.prefix)) c.out() << printable(name) << '\n';
    return done;
}

int create(table_service const& service, tables_options const& o, console& c) {
    if (service.create_table_if_not_exists(o.create)) return done;
    return c.fail(no, "the table " + o.create + " exists already");
}

int drop(table_service const& service, tables_options const& o, console& c) {
    if (!o.confirmed)
        throw usage_error{"--drop deletes the table " + o.drop + " with all its rows; repeat the command with --yes"};
    if (service.delete_table_if_exists(o.drop)) return done;
    return c.fail(no, "there is no table " + o.drop);
}

}  // namespace

int tables(tables_options const& o, console& c) {
    table_service const service{open_store(o.store)};
    if (!o.create.empty()) return create(service, o, c);
    if (!o.drop.empty()) return drop(service, o, c);
    return list(service, o, c);
}

}  // namespace tablemap::inline v0_1::command
