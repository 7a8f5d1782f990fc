// SPDX-License-Identifier: Apache-2.0
#include "embedded/cursor.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"

#include "tablemap/edm/limits.hpp"

namespace tablemap::detail::embedded {

namespace {

/// The table is there, maybe by a name in another case.
[[noreturn]] void refuse_twin(connection& c, std::string const& folded, std::string_view name) {
    statement_use s{c.prepared(query::list_tables)};
    s->bind_text(1, folded);
    s->bind(2, 1);
    if (s->step() && s->blob(1) != name)
        refuse(service_errc::table_already_exists,
               "it is there as '" + std::string{s->blob(1)} + "': names are compared without case");
    refuse(service_errc::table_already_exists, "use create_if_not_exists if that is fine");
}

}  // namespace

response read_tables(connection& c, list_tables const& q) {
    auto const most = q.top.value_or(limits::page_entities);
    if (most < 1 || most > limits::page_entities)
        refuse(service_errc::out_of_range_input, "a page has 1 to 1,000 tables");
    auto const from = q.from.empty() ? std::string{} : open_cursor(q.from);
    statement_use s{c.prepared(query::list_tables)};
    s->bind_text(1, from);
    s->bind(2, static_cast<std::int64_t>(most) + 1);
    response answer;
    while (s->step()) {
        if (answer.tables.size() == most) {
            answer.next_table = seal_cursor(s->blob(0));
            break;
        }
        answer.tables.emplace_back(s->blob(1));
    }
    return answer;
}

response add_table(connection& c, create_table const& q) {
    auto const folded = folded_table_name(q.table);
    write_transaction t{c.db()};
    {
        statement_use s{c.prepared(query::add_table)};
        s->bind_text(1, folded);
        s->bind_text(2, q.table);
        if (!s->run()) refuse_twin(c, folded, q.table);
    }
    t.commit();
    return {};
}

response remove_table(connection& c, delete_table const& q) {
    write_transaction t{c.db()};
    auto const id = c.find_table(q.table);
    if (!id) refuse(service_errc::resource_not_found, "there is no such table");
    for (auto const step : {query::remove_rows, query::remove_table}) {
        statement_use s{c.prepared(step)};
        s->bind(1, *id);
        s->run();
    }
    t.commit();
    return {};
}

}  // namespace tablemap::detail::embedded
