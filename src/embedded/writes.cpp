// SPDX-License-Identifier: Apache-2.0
#include "embedded/answer.hpp"
#include "embedded/fragment.hpp"
#include "embedded/key_codec.hpp"
#include "embedded/operations.hpp"
#include "embedded/refusal.hpp"
#include "store/write_rules.hpp"
#include "tablemap/detail/wire/row_codec.hpp"

#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

[[noreturn]] void throw_at(error const& e, std::size_t index) {
    auto details = e.details();
    details.failed_index = index;
    throw error{e.code(), std::move(details)};
}

/// A row that a write found in its place.
struct found_row {
    std::int64_t id;
    ticks stamp;
    std::string body;  // only for a merge
};

std::optional<found_row> locate(connection& c, std::int64_t table, stored_key const& partition, stored_key const& row,
                                bool with_body) {
    statement_use s{c.prepared(query::locate_row)};
    s->bind(1, table);
    s->bind_blob(2, partition.bytes());
    s->bind_blob(3, row.bytes());
    if (!s->step()) return std::nullopt;
    return found_row{s->integer(0), checked_stamp(s->integer(1)), std::string{with_body ? s->blob(2) : ""}};
}

void insert(connection& c, std::int64_t table, stored_key const& partition, stored_key const& row, ticks stamp,
            std::string_view fragment) {
    statement_use s{c.prepared(query::insert_row)};
    s->bind(1, table);
    s->bind_blob(2, partition.bytes());
    s->bind_blob(3, row.bytes());
    s->bind(4, stamp.count());
    s->bind_blob(5, fragment);
    if (!s->run()) refuse(service_errc::entity_already_exists, "there is an entity with these keys");
}

void update(connection& c, std::int64_t id, ticks stamp, std::string_view fragment) {
    statement_use s{c.prepared(query::update_row)};
    s->bind(1, id);
    s->bind(2, stamp.count());
    s->bind_blob(3, fragment);
    s->run();
}

void erase(connection& c, std::int64_t id) {
    statement_use s{c.prepared(query::remove_row)};
    s->bind(1, id);
    s->run();
}

}  // namespace

prepared_writes::prepared_writes(write_entity const& w) : table_(w.table), is_group_(false) {
    items_.reserve(1);
    fragments_.reserve(w.operation.body.size());
    add(w.operation);
}

prepared_writes::prepared_writes(transact const& t) : table_(t.table), is_group_(true) {
    check(check_group(t.operations));
    items_.reserve(t.operations.size());
    std::size_t bytes = 0;
    for (auto const& o : t.operations) bytes += o.body.size();
    fragments_.reserve(bytes);
    for (auto const& o : t.operations) {
        try {
            add(o);
        } catch (error const& e) {
            throw_at(e, items_.size());
        }
    }
}

void prepared_writes::add(write_operation const& o) {
    check(check_condition(o));
    auto const units =
        checked_key_units(o.partition_key, partition_key_name) + checked_key_units(o.row_key, row_key_name);
    auto const at = fragments_.size();
    if (o.kind == write_kind::erase) {
        if (!o.body.empty()) refuse(service_errc::invalid_input, "an erase has no body");
    } else if (o.properties_at != 0 && o.properties_at < o.body.size()) {
        append_encoded(fragments_, o.body.substr(o.properties_at, o.body.size() - 1 - o.properties_at));
    } else {
        append_canonical(fragments_, o.body, {o.partition_key, o.row_key, units}, o.kind == write_kind::insert);
    }
    items_.push_back({&o, units, at, fragments_.size() - at});
}

void prepared_writes::apply_one(connection& c, std::int64_t table, item const& i, ticks stamp) const {
    auto const& o = *i.operation;
    stored_key const partition{o.partition_key};
    stored_key const row{o.row_key};
    auto const fragment = fragment_of(i);
    if (o.kind == write_kind::insert) return insert(c, table, partition, row, stamp, fragment);

    bool const merging = o.kind == write_kind::merge || o.kind == write_kind::upsert_merge;
    auto const found = locate(c, table, partition, row, merging);
    if (!found) {
        if (is_conditional(o.kind)) refuse(service_errc::resource_not_found, "there is no such entity");
        return insert(c, table, partition, row, stamp, fragment);
    }
    if (is_conditional(o.kind) && o.if_match != any_etag && o.if_match != etag::of(found->stamp).text())
        refuse(service_errc::update_condition_not_satisfied);
    if (o.kind == write_kind::erase) return erase(c, found->id);
    if (merging) return update(c, found->id, stamp, merge_fragments(found->body, fragment, i.key_units));
    update(c, found->id, stamp, fragment);
}

response prepared_writes::apply(connection& c, ticks stamp) const {
    auto const table = require_table_to_write(c, table_);
    std::vector<etag> etags;
    etags.reserve(items_.size());
    for (auto const& i : items_) {
        try {
            apply_one(c, table, i, stamp);
        } catch (error const& e) {
            // A fault of the file is not the operation's.
            if (is_group_ && e.source() == error_source::service) throw_at(e, etags.size());
            throw;
        }
        etags.push_back(i.operation->kind == write_kind::erase ? etag{} : etag::of(stamp));
        stamp = stamp + tick_duration{1};
    }
    response answer;
    if (is_group_)
        answer.etags = std::move(etags);
    else
        answer.etag = std::move(etags.front());
    return answer;
}

}  // namespace tablemap::detail::embedded
