// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/call_limits.hpp"
#include "embedded/file_identity.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

/// SQLite behind three classes that throw `error` with a `store_errc`. Only sqlite.cpp includes its header.
namespace tablemap::inline v0_1::detail::embedded {

class database;

/// A prepared statement. Bound texts and blobs must live until `reset`.
class statement {
public:
    statement() = default;
    statement(statement&& other) noexcept;
    statement& operator=(statement&& other) noexcept;
    ~statement();

    explicit operator bool() const noexcept { return handle_ != nullptr; }

    void bind(int at, std::int64_t value);
    void bind_blob(int at, std::string_view bytes);
    void bind_text(int at, std::string_view text);

    /// True if there is a row.
    bool step();

    /// Runs to the end. False if a unique index refused.
    bool run();

    void reset() noexcept;

    std::int64_t integer(int column) const noexcept;

    /// Bytes of the present row, until the next `step` or `reset`.
    std::string_view blob(int column) const noexcept;

private:
    friend class database;
    statement(sqlite3_stmt* handle, database const* owner) noexcept : handle_(handle), owner_(owner) {}

    sqlite3_stmt* handle_ = nullptr;
    database const* owner_ = nullptr;
};

/// Resets a statement at the end of its use, so that it holds no lock.
class statement_use {
public:
    explicit statement_use(statement& s) noexcept : statement_(s) {}
    ~statement_use() { statement_.reset(); }
    statement_use(statement_use const&) = delete;
    statement_use& operator=(statement_use const&) = delete;

    statement* operator->() const noexcept { return &statement_; }

private:
    statement& statement_;
};

/// The first bytes of a file that is no link, fewer if it is shorter; nothing if it may not be read. Takes no lock and
/// changes nothing.
///
/// SQLite opens and closes the file for this. POSIX drops all locks of a process on a file as soon as the process
/// closes any descriptor of it, so a descriptor of our own would unlock the connections of other stores; SQLite puts
/// the closing off.
/// Errors (thrown): `store_errc::io_failed`.
std::optional<std::string> read_start(std::string const& path, std::size_t size);

/// A connection. Used by one thread at a time.
class database {
public:
    /// Opens a file, and creates it, for its owner alone, if it is missing and that is wanted.
    /// The file system is named as SQLite knows it; null: its usual one.
    /// Errors: `store_errc::cannot_open`, `read_only`.
    database(std::string path, std::chrono::milliseconds busy_timeout, bool create, char const* file_system = nullptr);
    ~database();
    database(database const&) = delete;
    database& operator=(database const&) = delete;

    std::string const& path() const noexcept { return path_; }

    statement prepare(std::string_view sql) const;
    void run(char const* sql) const;
    std::int64_t integer(std::string_view sql) const;
    std::string text(std::string_view sql) const;

    void begin_write();
    void begin_read();
    void commit();
    /// Needs no memory. There is nothing to do about an error: the next transaction tries again.
    void roll_back() noexcept;

    /// A part of a write transaction, which can be undone alone. If that throws, the whole transaction must be rolled
    /// back: the part may be there in part, and SQLite may have ended the transaction.
    void begin_part();
    void keep_part();
    void undo_part();

    /// Thrown in place of an error of a commit for which there was no memory. It is in doubt.
    std::exception_ptr const& no_memory_in_commit() const noexcept { return no_memory_in_commit_; }

    /// The number of the present write transaction, and of the last one that did not commit for certain.
    std::int64_t present_write() const noexcept { return present_write_; }
    std::int64_t last_lost_write() const noexcept { return last_lost_write_; }

    /// Grows when a write transaction begins that may see a change of another connection. Until it grows, this
    /// connection knows all changes since it last looked.
    std::int64_t foreign_changes() const noexcept { return foreign_changes_; }

    /// The file that was opened; empty in memory.
    std::optional<file_identity> const& file() const noexcept { return file_; }

    /// Checks before a commit that the file and its log are still in place. Errors (thrown): `store_errc::file_gone`.
    void check_in_place();

    /// Until the next call of this, waits for other processes end with these limits, and so do statements that take
    /// long. Null: waits end with the busy timeout, and statements go on to their end.
    void limit_calls(call_limits const* limits) noexcept;

    /// The number of rows that the last statement added, changed or removed.
    std::int64_t changes() const noexcept;

    /// Pages in the write-ahead log after the last commit of this connection, those of other connections included.
    std::int64_t log_pages() const noexcept { return log_pages_; }

    /// Counts the pages of a log that lies beside the file already.
    void count_log();

    /// Copies the log into the file, so that the next write begins the log anew. Waits for reads, and for writes of
    /// other processes, no longer than this and than the limits of waits. False if they took longer.
    ///
    /// Works only under the write lock. Without it a checkpoint may meet a write that begins the log anew, which SQLite
    /// before 3.51.3 answers with a damaged file (the WAL-reset fault).
    /// Errors (thrown): `store_errc::full`, `io_failed`.
    bool fold_log(std::chrono::milliseconds at_most);

    /// Copies everything into another connection's database, which is replaced, in one state of this one. Other
    /// connections may write meanwhile. `progress` is called with the pages that are copied, and with all.
    /// Errors (thrown): those of either file.
    void copy_to(database& target, std::function<void(std::int64_t, std::int64_t)> const& progress) const;

    /// Throws what a result code of SQLite means.
    [[noreturn]] void fail(int code) const;

private:
    friend class write_transaction;

    /// A number that differs after each commit of any connection, as far as the present transaction sees it.
    std::optional<std::uint32_t> version() const noexcept;

    void begin(statement& how);
    void run_whole(statement& s);
    void run_whole_without_error(statement& s) noexcept;
    void prepare_transactions();

    /// SQLite creates files that every user may read. The log and its index take over the file's permissions.
    void keep_to_the_owner() const;

    /// A file from elsewhere may hold triggers, views and functions in its schema.
    void run_nothing_from_the_file() const;

    char const* log_name() const noexcept;
    static int wait(void* self, int tries);
    int give_up() const noexcept;
    static int interrupts(void* self);
    static int note_commit(void* self, sqlite3* handle, char const* schema, int pages);

    std::string path_;
    std::chrono::milliseconds busy_timeout_;
    bool folding_ = false;
    bool is_whole_ = false;  ///< the present statement begins or ends a transaction, or a part of one
    std::int64_t log_pages_ = 0;
    sqlite3* handle_ = nullptr;
    std::optional<file_identity> file_{};
    std::optional<file_identity> log_{};
    std::int64_t present_write_ = 0;
    std::int64_t last_lost_write_ = 0;
    std::int64_t foreign_changes_ = 0;
    std::optional<std::uint32_t> last_version_{};  ///< after the last write transaction, if that committed for certain
    statement begin_write_{};
    statement begin_read_{};
    statement commit_{};
    statement rollback_{};
    statement begin_part_{};
    statement keep_part_{};
    statement undo_part_{};
    std::exception_ptr no_memory_in_commit_{};  ///< made before the first transaction
    call_limits const* limits_ = nullptr;
    std::chrono::steady_clock::time_point wait_began_{};
};

/// Several reads of one state of the database.
class read_transaction {
public:
    explicit read_transaction(database& db) : database_(db) { db.begin_read(); }
    ~read_transaction() { database_.roll_back(); }
    read_transaction(read_transaction const&) = delete;
    read_transaction& operator=(read_transaction const&) = delete;

private:
    database& database_;
};

/// A write transaction: rolled back unless it was committed.
class write_transaction {
public:
    explicit write_transaction(database& db);
    ~write_transaction();
    write_transaction(write_transaction const&) = delete;
    write_transaction& operator=(write_transaction const&) = delete;

    /// Errors (thrown): `store_errc::file_gone`, not applied. An error of the disk here leaves the outcome in doubt,
    /// and the error says so, even if memory has run out.
    void commit();

private:
    void commit_or_explain();

    database& database_;
    bool is_committed_ = false;
};

}  // namespace tablemap::detail::embedded
