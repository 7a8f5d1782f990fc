// SPDX-License-Identifier: Apache-2.0
#include "bare_sqlite.hpp"

#include "sample.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <optional>
#include <utility>

namespace bench {
namespace {

class statement {
public:
    statement(sqlite3* db, std::string_view sql) {
        require(sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &handle_,
                                   nullptr) == SQLITE_OK,
                "bare SQLite: a statement cannot be prepared");
    }
    ~statement() { sqlite3_finalize(handle_); }
    statement(statement const&) = delete;
    statement& operator=(statement const&) = delete;

    void bind(int at, std::string_view bytes) {
        sqlite3_bind_blob64(handle_, at, bytes.data(), bytes.size(), SQLITE_STATIC);
    }
    void bind(int at, std::int64_t n) { sqlite3_bind_int64(handle_, at, n); }

    bool step() {
        int const rc = sqlite3_step(handle_);
        require(rc == SQLITE_ROW || rc == SQLITE_DONE, "bare SQLite: a statement failed");
        return rc == SQLITE_ROW;
    }
    void reset() { sqlite3_reset(handle_); }

    std::string_view blob(int column) {
        auto const* data = static_cast<char const*>(sqlite3_column_blob(handle_, column));
        return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
    }

private:
    sqlite3_stmt* handle_ = nullptr;
};

struct database {
    explicit database(std::filesystem::path const& file) {
        int const flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
        require(sqlite3_open_v2(file.c_str(), &handle, flags, nullptr) == SQLITE_OK,
                "bare SQLite: the file cannot be opened");
    }
    ~database() { sqlite3_close_v2(handle); }
    database(database const&) = delete;
    database& operator=(database const&) = delete;

    void run(char const* sql) {
        require(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK, "bare SQLite: a statement failed");
    }

    sqlite3* handle = nullptr;
};

/// The file that a path named at the first check. Writes into one that was deleted meanwhile would be lost.
class file_in_place {
public:
    explicit file_in_place(std::string path) : path_(std::move(path)) {}

    void check() {
        struct stat now {};
        require(::stat(path_.c_str(), &now) == 0, "bare SQLite: the file is gone");
        if (!first_) first_ = now;
        require(now.st_dev == first_->st_dev && now.st_ino == first_->st_ino, "bare SQLite: the file was replaced");
    }

private:
    std::string path_;
    std::optional<struct stat> first_{};
};

}  // namespace

struct bare_sqlite::handles {
    handles(std::filesystem::path const& path, durability d)
        : db(path), file(path.string()), log(path.string() + "-wal") {
        db.run("PRAGMA page_size=8192; PRAGMA journal_mode=WAL");
        db.run(d == durability::full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
        db.run("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, pk BLOB NOT NULL, rk BLOB NOT NULL,"
               " stamp INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (pk, rk)) STRICT");
        begin = std::make_unique<statement>(db.handle, "BEGIN IMMEDIATE");
        commit = std::make_unique<statement>(db.handle, "COMMIT");
        insert =
            std::make_unique<statement>(db.handle, "INSERT INTO rows (pk, rk, stamp, body) VALUES (?1, ?2, ?3, ?4)");
        read = std::make_unique<statement>(db.handle, "SELECT body FROM rows WHERE pk = ?1 AND rk = ?2");
        page = std::make_unique<statement>(db.handle, "SELECT body FROM rows WHERE pk = ?1 ORDER BY rk LIMIT ?2");
    }

    database db;
    file_in_place file, log;
    std::unique_ptr<statement> begin, commit, insert, read, page;
};

bare_sqlite::bare_sqlite(std::filesystem::path const& file, durability d)
    : handles_(std::make_unique<handles>(file, d)) {}
bare_sqlite::~bare_sqlite() = default;

void bare_sqlite::begin() {
    handles_->begin->step();
    handles_->begin->reset();
}

void bare_sqlite::commit() {
    handles_->file.check();
    handles_->log.check();
    handles_->commit->step();
    handles_->commit->reset();
}

void bare_sqlite::insert(std::string_view partition_key, std::string_view row_key, std::int64_t stamp,
                         std::string_view body) {
    auto& s = *handles_->insert;
    s.bind(1, partition_key);
    s.bind(2, row_key);
    s.bind(3, stamp);
    s.bind(4, body);
    s.step();
    s.reset();
}

bool bare_sqlite::read(std::string_view partition_key, std::string_view row_key, std::string& body) {
    auto& s = *handles_->read;
    s.bind(1, partition_key);
    s.bind(2, row_key);
    bool const found = s.step();
    if (found) body = s.blob(0);
    s.reset();
    return found;
}

std::size_t bare_sqlite::read_page(std::string_view partition_key, std::size_t limit, std::string& bodies) {
    auto& s = *handles_->page;
    s.bind(1, partition_key);
    s.bind(2, static_cast<std::int64_t>(limit));
    std::size_t count = 0;
    for (; s.step(); ++count) {
        if (count > 0) bodies += ',';
        bodies += s.blob(0);
    }
    s.reset();
    return count;
}

}  // namespace bench
