// SPDX-License-Identifier: Apache-2.0
#include "embedded/cursor.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"
#include "store/service_answer.hpp"

#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail::embedded {

namespace {

/// Behind every name that begins with this text.
std::string end_of_folded(std::string prefix) { return std::move(prefix) + '{'; }

/// The table is there, maybe by a name in another case.
[[noreturn]] void refuse_twin(connection& c, std::string const& folded, std::string_view name) {
    auto const end = end_of_folded(folded);
    statement_use s{c.prepared(query::list_tables)};
    s->bind_text(1, folded);
    s->bind(2, 1);
    s->bind_text(3, end);
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
    if (!is_table_name_prefix(q.prefix))
        refuse(service_errc::invalid_resource_name, "table names begin with letters and digits");
    auto const prefix = folded(q.prefix);
    auto const from = q.from.empty() ? prefix : std::max(prefix, open_cursor(q.from));
    auto const end = end_of_folded(prefix);
    statement_use s{c.prepared(query::list_tables)};
    s->bind_text(1, from);
    s->bind(2, static_cast<std::int64_t>(most) + 1);
    s->bind_text(3, end);
    service_response list;
    while (s->step()) {
        if (list.tables.size() == most) {
            list.next_table = seal_cursor(s->blob(0));
            break;
        }
        list.tables.emplace_back(s->blob(1));
    }
    return answer_with(std::move(list));
}

response add_table(connection& c, create_table const& q) {
    auto const key = folded_table_name(q.table);
    write_transaction t{c.db()};
    {
        statement_use s{c.prepared(query::add_table)};
        s->bind_text(1, key);
        s->bind_text(2, q.table);
        if (!s->run()) refuse_twin(c, key, q.table);
    }
    t.commit();
    return {};
}

response remove_table(connection& c, delete_table const& q) {
    write_transaction t{c.db()};
    auto const id = c.find_table(q.table);
    if (!id) refuse(service_errc::resource_not_found, "there is no such table");
    c.forget_tables();
    remove_policies(c, *id);
    for (auto const step : {query::remove_rows, query::remove_table}) {
        statement_use s{c.prepared(step)};
        s->bind(1, *id);
        s->run();
    }
    t.commit();
    return {};
}

}  // namespace tablemap::detail::embedded
