// SPDX-License-Identifier: Apache-2.0
#include "embedded/schema.hpp"

#include "embedded/file_check.hpp"
#include "embedded/log_bounds.hpp"
#include "embedded/refusal.hpp"

#include <string>
#include <thread>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

constexpr char const* create_objects =
    "CREATE TABLE tables ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " folded TEXT NOT NULL UNIQUE,"
    " name TEXT NOT NULL) STRICT;"
    // A rowid table: rows of this size would spill to overflow pages in a WITHOUT ROWID tree.
    "CREATE TABLE entities ("
    " id INTEGER PRIMARY KEY,"
    " table_id INTEGER NOT NULL,"
    " partition_key BLOB NOT NULL,"
    " row_key BLOB NOT NULL,"
    " stamp INTEGER NOT NULL,"
    " body BLOB NOT NULL,"
    " UNIQUE (table_id, partition_key, row_key)) STRICT;"
    "CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL) STRICT;"
    "INSERT INTO clock VALUES (1, 0);";

constexpr char const* create_service_objects =
    "CREATE TABLE policies ("
    " table_id INTEGER NOT NULL,"
    " place INTEGER NOT NULL,"
    " id TEXT NOT NULL,"
    " start INTEGER NOT NULL,"
    " expiry INTEGER NOT NULL,"
    " permissions TEXT NOT NULL,"
    " PRIMARY KEY (table_id, place)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;";

constexpr char const* create_queue_objects =
    "CREATE TABLE queues (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;"
    // Times are ticks. The receipt changes with every request that takes or changes the message.
    "CREATE TABLE messages ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " queue_id INTEGER NOT NULL,"
    " visible INTEGER NOT NULL,"
    " inserted INTEGER NOT NULL,"
    " expires INTEGER NOT NULL,"
    " dequeues INTEGER NOT NULL,"
    " receipt INTEGER NOT NULL,"
    " text BLOB NOT NULL,"
    " UNIQUE (queue_id, visible, id, expires),"  // expired messages are passed over without their rows
    " UNIQUE (queue_id, expires, id)) STRICT;";

constexpr char const* create_blob_objects =
    "CREATE TABLE containers (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TABLE blobs ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " container_id INTEGER NOT NULL,"
    " name BLOB NOT NULL,"
    " kind INTEGER NOT NULL,"  // of blob_kind
    " stamp INTEGER NOT NULL,"
    " size INTEGER NOT NULL,"
    " blocks INTEGER NOT NULL,"
    " content_type TEXT NOT NULL,"
    " UNIQUE (container_id, name)) STRICT;"
    // The bytes of a blob, in pieces: place is the offset of a piece's first byte, first that of its block. Only blocks
    // that were staged have names.
    "CREATE TABLE blocks ("
    " id INTEGER PRIMARY KEY,"
    " blob_id INTEGER NOT NULL,"
    " place INTEGER NOT NULL,"
    " first INTEGER NOT NULL,"
    " name BLOB NOT NULL,"
    " body BLOB NOT NULL,"
    " UNIQUE (blob_id, place),"
    " UNIQUE (blob_id, name, place)) STRICT;"
    // Pieces of blocks that are not committed yet; their blob may not exist. place is the offset in the block.
    "CREATE TABLE staged_blocks ("
    " id INTEGER PRIMARY KEY,"
    " container_id INTEGER NOT NULL,"
    " blob_name BLOB NOT NULL,"
    " name BLOB NOT NULL,"
    " place INTEGER NOT NULL,"
    " stamp INTEGER NOT NULL,"
    " body BLOB NOT NULL,"
    " UNIQUE (container_id, blob_name, name, place),"
    " UNIQUE (stamp, id)) STRICT;";

/// The first format with policies and settings.
constexpr std::int64_t service_format = 2;
/// The first format with queues and blobs.
constexpr std::int64_t queue_format = 3;

constexpr std::string_view tables_of_first = "'tables', 'entities', 'clock'";
constexpr std::string_view tables_of_service = ", 'policies', 'settings'";
constexpr std::string_view tables_of_queues =
    ", 'queues', 'messages', 'containers', 'blobs', 'blocks', 'staged_blocks'";

struct known_tables {
    std::string names;  ///< quoted, between commas
    std::int64_t count;
};

known_tables tables_of(std::int64_t format) {
    known_tables t{std::string{tables_of_first}, 3};
    if (format >= service_format) t = {t.names.append(tables_of_service), 5};
    if (format >= queue_format) t = {t.names.append(tables_of_queues), 11};
    return t;
}

void set_format(database const& db, std::int64_t version) {
    db.run(("PRAGMA user_version=" + std::to_string(version)).c_str());
}

void create(database& db) {
    write_transaction t{db};
    if (!is_empty(db)) return;  // another process was faster
    db.run(create_objects);
    db.run(("PRAGMA application_id=" + std::to_string(application_id)).c_str());
    add_service_tables(db);
    t.commit();
}

void check_nothing_is_missing(database const& db, std::string const& path) {
    auto const known = tables_of(db.integer("PRAGMA user_version"));
    auto const found = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN (" + known.names + ")";
    if (db.integer(found.c_str()) != known.count)
        refuse(store_errc::corrupt, file_reason(path, "it lacks tables that every store has: restore a backup"));
}

/// SQLite does not wait by itself where two connections change the journal mode at the same time.
void use_write_ahead_log(database& db, embedded_options const& options) {
    auto const end = std::chrono::steady_clock::now() + options.busy_timeout;
    for (;;) {
        try {
            if (auto const mode = db.text("PRAGMA journal_mode=WAL"); mode != "wal" && mode != "memory")
                refuse(store_errc::cannot_open,
                       file_reason(options.path, "its file system cannot hold a write-ahead log"));
            return;
        } catch (error const& e) {
            if (e.code() != store_errc::busy || std::chrono::steady_clock::now() >= end) throw;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

/// A trigger could change an acknowledged write, and an index could refuse it.
void check_nothing_was_added(database const& db, std::string const& path) {
    auto const added = db.text(("SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%'"
                                " ESCAPE '\\' AND (type <> 'table' OR name NOT IN (" +
                                tables_of(queue_format).names + ")) LIMIT 1")
                                   .c_str());
    if (!added.empty())
        refuse(store_errc::foreign_database,
               file_reason(path, "it has the " + added + ", which tablemap did not create: remove it"));
}

}  // namespace

void configure(database& db, embedded_options const& options) {
    db.run("PRAGMA cell_size_check=ON");
    db.run(options.synchronous == durability::full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    if (options.max_page_count) db.run(("PRAGMA max_page_count=" + std::to_string(*options.max_page_count)).c_str());
    // Limits the log's file after a fold: space that it took while a reader held it is given back.
    auto const log_bytes = log_bounds{options}.fold_at * 5 / 4 * log_frame_bytes;
    db.run(("PRAGMA journal_size_limit=" + std::to_string(log_bytes)).c_str());
}

bool has_service_tables(database const& db) { return db.integer("PRAGMA user_version") >= service_format; }

void add_service_tables(database const& db) {
    if (has_service_tables(db)) return;
    db.run(create_service_objects);
    set_format(db, service_format);
}

bool has_queue_tables(database const& db) { return db.integer("PRAGMA user_version") >= queue_format; }

void add_queue_tables(database const& db) {
    if (has_queue_tables(db)) return;
    add_service_tables(db);
    db.run(create_queue_objects);
    db.run(create_blob_objects);
    set_format(db, queue_format);
}

bool is_empty(database const& db) {
    return db.integer("PRAGMA application_id") == 0 && db.integer("SELECT count(*) FROM sqlite_master") == 0;
}

void prepare_schema(database& db, embedded_options const& options) {
    if (is_empty(db)) {
        db.run("PRAGMA page_size=8192");
        create(db);
    }
    check_identity(options.path, db.integer("PRAGMA application_id"), db.integer("PRAGMA user_version"));
    check_nothing_is_missing(db, options.path);
    check_nothing_was_added(db, options.path);
    use_write_ahead_log(db, options);
}

}  // namespace tablemap::detail::embedded
