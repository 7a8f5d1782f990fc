// SPDX-License-Identifier: Apache-2.0
#include "patterns/list_rebuild.hpp"

#include "store/ask.hpp"
#include "store/page_reading.hpp"

#include <utility>

namespace tablemap::inline v0_1::detail {

task<result<bool>> list_rebuild::run(list_address const& at, stored_list const& damaged) const {
    auto const lines = co_await lines_for(at);
    if (!lines) co_return failure{lines.error()};
    auto const written = co_await write(at, damaged, *lines);
    co_return written;
}

/// Reads all entities for those that have the value.
task<result<list_lines>> list_rebuild::lines_for(list_address const& at) const {
    auto what = of_entities_;
    if (is_local(table_, at.index)) what.partition = key_bounds::exactly(at.partition_key);
    list_lines lines;
    page_reading pages{what, env_};
    while (!pages.ended()) {
        auto page = co_await pages.next();
        if (!page) co_return failure{page.error()};
        auto const rows = add_owners(*page, at, lines);
        if (!rows) co_return failure{rows.error()};
        auto const good = pages.passed(*rows);
        if (!good) co_return failure{good.error()};
    }
    co_return lines;
}

result<std::size_t> list_rebuild::add_owners(response& page, list_address const& at, list_lines& lines) const {
    auto read = table_.type.read_page(page.body, table_.entities->cipher.get());
    if (!read) return failure{std::move(read).error()};
    for (auto& row : read->unreadable) found_.add_unreadable(std::move(row));
    for (auto const& e : read->entities)
        if (e.values[at.index] == value_of(table_, at)) lines.insert(line_of(table_, at.index, e.key));
    return read->rows;
}

task<result<bool>> list_rebuild::write(list_address const& at, stored_list const& damaged,
                                       list_lines const& lines) const {
    auto const id = random_guid(env_.clock());
    auto const w = co_await lists_.prepare(at, damaged, lines, id);
    if (!w) co_return failure{w.error()};
    auto const send = lists_.to_send(at, *w);
    auto const answer = co_await ask(send);
    if (answer.ok()) {
        co_await lists_.drop(w->old_blob);
        co_return true;
    }
    if (!is_overtaken(*answer.failure)) co_return failure{*answer.failure};
    co_await lists_.drop(w->new_blob);
    co_return false;
}

}  // namespace tablemap::detail
