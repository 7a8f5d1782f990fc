// SPDX-License-Identifier: Apache-2.0
#include "embedded/connection.hpp"

#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"

#include "base/ascii.hpp"
#include "tablemap/edm/names.hpp"

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr std::array<std::string_view, query_count> texts = {
    "SELECT id FROM tables WHERE folded = ?1",
    "SELECT folded, name FROM tables WHERE folded >= ?1 AND folded < ?3 ORDER BY folded LIMIT ?2",
    "INSERT INTO tables (folded, name) VALUES (?1, ?2)",
    "DELETE FROM tables WHERE id = ?1",
    "DELETE FROM entities WHERE table_id = ?1",
    "SELECT stamp, body FROM entities WHERE table_id = ?1 AND partition_key = ?2 AND row_key = ?3",
    "SELECT id, stamp, body FROM entities WHERE table_id = ?1 AND partition_key = ?2 AND row_key = ?3",
    "SELECT row_key, stamp, body FROM entities"
    " WHERE table_id = ?1 AND partition_key = ?2 AND row_key >= ?3 AND row_key < ?4"
    " ORDER BY row_key",
    "SELECT row_key, stamp, body, partition_key FROM entities"
    " WHERE table_id = ?1 AND (partition_key, row_key) >= (?2, ?3) AND partition_key < ?4"
    " ORDER BY partition_key, row_key",
    "INSERT INTO entities (table_id, partition_key, row_key, stamp, body) VALUES (?1, ?2, ?3, ?4, ?5)",
    "UPDATE entities SET stamp = ?2, body = ?3 WHERE id = ?1",
    "DELETE FROM entities WHERE id = ?1",
    "SELECT last FROM clock",
    "UPDATE clock SET last = ?1",
    "SELECT id, start, expiry, permissions FROM policies WHERE table_id = ?1 ORDER BY place",
    "INSERT INTO policies (table_id, place, id, start, expiry, permissions) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    "DELETE FROM policies WHERE table_id = ?1",
    "SELECT name, value FROM settings",
    "INSERT INTO settings (name, value) VALUES (?1, ?2)",
    "DELETE FROM settings WHERE name >= ?1 || '.' AND name < ?1 || '/'",
    "SELECT id FROM queues WHERE name = ?1",
    "INSERT INTO queues (name) VALUES (?1)",
    "DELETE FROM queues WHERE id = ?1",
    "INSERT INTO messages (queue_id, visible, inserted, expires, dequeues, receipt, text)"
    " VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6) RETURNING id",
    // The plus keeps SQLite from the index over expiry, which would mean to sort.
    "SELECT id, inserted, expires, dequeues, text FROM messages"
    " WHERE queue_id = ?1 AND visible <= ?2 AND +expires > ?2 ORDER BY visible, id LIMIT ?3",
    "UPDATE messages SET visible = ?2, receipt = ?3, dequeues = dequeues + 1 WHERE id = ?1",
    "SELECT receipt FROM messages WHERE id = ?2 AND queue_id = ?1 AND expires > ?3",
    "UPDATE messages SET visible = ?2, receipt = ?3 WHERE id = ?1",
    "UPDATE messages SET text = ?2 WHERE id = ?1",
    "DELETE FROM messages WHERE id = ?1",
    "DELETE FROM messages WHERE queue_id = ?1",
    "DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE queue_id = ?1 AND expires <= ?2 LIMIT 64)",
    "SELECT count(*) FROM messages WHERE queue_id = ?1 AND expires > ?2",
    "SELECT id FROM containers WHERE name = ?1",
    "INSERT INTO containers (name) VALUES (?1)",
    "DELETE FROM containers WHERE id = ?1",
    "DELETE FROM blocks WHERE blob_id IN (SELECT id FROM blobs WHERE container_id = ?1)",
    "DELETE FROM blobs WHERE container_id = ?1",
    "DELETE FROM staged_blocks WHERE container_id = ?1",
    "SELECT id, kind, stamp, size, blocks, content_type FROM blobs WHERE container_id = ?1 AND name = ?2",
    "SELECT name, kind, stamp, size, content_type FROM blobs"
    " WHERE container_id = ?1 AND name >= ?2 AND name < ?3 ORDER BY name LIMIT ?4",
    "INSERT INTO blobs (container_id, name, kind, stamp, size, blocks, content_type)"
    " VALUES (?1, ?2, ?3, ?4, 0, 0, ?5) RETURNING id",
    "UPDATE blobs SET stamp = ?2, size = ?3, blocks = ?4 WHERE id = ?1",
    "DELETE FROM blobs WHERE id = ?1",
    "SELECT place, body FROM blocks WHERE blob_id = ?1 AND place < ?3 AND place >="
    " coalesce((SELECT max(place) FROM blocks WHERE blob_id = ?1 AND place <= ?2), 0) ORDER BY place",
    "INSERT INTO blocks (blob_id, place, first, name, body) VALUES (?1, ?2, ?2, x'', ?3)",
    "INSERT INTO blocks (blob_id, place, first, name, body) SELECT ?1, ?2 + place, ?2, name, body FROM staged_blocks"
    " WHERE container_id = ?3 AND blob_name = ?4 AND name = ?5 RETURNING length(body)",
    // A block that is in the blob twice is copied from its first place.
    "INSERT INTO blocks (blob_id, place, first, name, body) SELECT ?1, ?2 + place - first, ?2, name, body FROM blocks"
    " WHERE blob_id = ?3 AND name = ?4"
    " AND first = (SELECT min(place) FROM blocks WHERE blob_id = ?3 AND name = ?4) RETURNING length(body)",
    "DELETE FROM blocks WHERE blob_id = ?1",
    "DELETE FROM staged_blocks WHERE container_id = ?1 AND blob_name = ?2 AND name = ?3",
    "INSERT INTO staged_blocks (container_id, blob_name, name, place, stamp, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    "SELECT length(name) FROM staged_blocks WHERE container_id = ?1 AND blob_name = ?2 LIMIT 1",
    "SELECT length(name) FROM blocks WHERE blob_id = ?1 AND name > x'' LIMIT 1",
    "DELETE FROM staged_blocks WHERE container_id = ?1 AND blob_name = ?2",
    // All pieces of a block have its stamp.
    "DELETE FROM staged_blocks WHERE stamp IN"
    " (SELECT DISTINCT stamp FROM staged_blocks WHERE stamp < ?1 ORDER BY stamp LIMIT 4)",
};

constexpr std::size_t remembered_tables = 1024;

}  // namespace

connection::connection(embedded_options const& options, bool create, char const* file_system)
    : database_(options.path, options.busy_timeout, create, file_system) {
    configure(database_, options);
}

statement& connection::prepared(query q) {
    auto const i = static_cast<std::size_t>(q);
    if (!statements_[i]) statements_[i] = database_.prepare(texts[i]);
    return statements_[i];
}

std::optional<std::int64_t> connection::find_table(std::string_view name) {
    auto const folded = folded_table_name(name);
    statement_use s{prepared(query::find_table)};
    s->bind_text(1, folded);
    if (!s->step()) return std::nullopt;
    return s->integer(0);
}

std::optional<std::int64_t> connection::find_table_to_write(std::string_view name) {
    if (tables_seen_ != database_.foreign_changes()) forget_tables();
    if (auto const known = remembered_table(name)) return known;
    auto const found = find_table(name);
    if (found) remember_table(name, *found);
    tables_seen_ = database_.foreign_changes();
    return found;
}

std::optional<std::int64_t> connection::remembered_table(std::string_view name) const {
    auto const at = tables_.find(name);
    return at == tables_.end() ? std::nullopt : std::optional{at->second};
}

void connection::remember_table(std::string_view name, std::int64_t id) {
    if (tables_.size() >= remembered_tables) tables_.clear();
    tables_.insert_or_assign(std::string{name}, id);
}

std::string folded(std::string_view name) { return lower_case(name); }

std::string folded_table_name(std::string_view name) {
    if (auto const ok = check_table_name(name); !ok)
        refuse(service_errc::invalid_resource_name, ok.error().details().reason);
    return folded(name);
}

namespace {

std::int64_t required(std::optional<std::int64_t> id) {
    if (!id) refuse(service_errc::table_not_found);
    return *id;
}

}  // namespace

std::int64_t require_table(connection& c, std::string_view name) { return required(c.find_table(name)); }

std::int64_t require_table_to_write(connection& c, std::string_view name) {
    return required(c.find_table_to_write(name));
}

}  // namespace tablemap::detail::embedded
