// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"
#include "embedded/key_codec.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"

#include "edm/etag_at.hpp"
#include "tablemap/edm/names.hpp"
#include "wire/packed_rows.hpp"

namespace tablemap::inline v0_1::detail::embedded {
namespace {

/// Beside a row's fragment a response holds the two keys and at most this much.
constexpr std::size_t frame_bytes = 192;

void fill(response& answer, get_entity const& q, stored_row const& row) {
    row_writer writer{q.select};
    answer.body.reserve(frame_bytes + q.partition_key.size() + q.row_key.size() + row.fragment.size());
    if (q.packed) {
        begin_packed(answer.body);
        writer.append_packed(answer.body, row);
        return end_packed(answer.body);
    }
    ticks_text const time{row.stamp};
    writer.append(answer.body, row, time);
    answer.etag = etag_at(time);
}

bool try_read(connection& c, std::int64_t table, get_entity const& q, stored_key const& partition,
              stored_key const& row, response& answer) {
    statement_use s{c.prepared(query::read_row)};
    s->bind(1, table);
    s->bind_blob(2, partition.bytes());
    s->bind_blob(3, row.bytes());
    if (!s->step()) return false;
    fill(answer, q, {q.partition_key, q.row_key, checked_stamp(s->integer(0)), s->blob(1)});
    return true;
}

}  // namespace

response read_entity(connection& c, get_entity const& q) {
    checked_key_units(q.partition_key, partition_key_name);
    checked_key_units(q.row_key, row_key_name);
    stored_key const partition{q.partition_key};
    stored_key const row{q.row_key};
    response answer;
    auto table = c.remembered_table(q.table);
    for (;;) {
        if (table && try_read(c, *table, q, partition, row, answer)) return answer;
        auto const found = require_table(c, q.table);
        if (found == table)
            return response::failed(error{service_errc::resource_not_found, {.reason = "there is no such entity"}});
        c.remember_table(q.table, found);
        table = found;
    }
}

}  // namespace tablemap::detail::embedded
