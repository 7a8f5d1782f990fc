// SPDX-License-Identifier: Apache-2.0
#include "embedded/sqlite.hpp"

#include "embedded/file_identity.hpp"
#include "embedded/log_bounds.hpp"
#include "embedded/refusal.hpp"
#include "embedded/resident_files.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <new>
#include <thread>
#include <utility>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

struct meaning {
    store_errc code;
    char const* remedy;
};

meaning meaning_of(int code) noexcept {
    switch (code & 0xFF) {
    case SQLITE_CANTOPEN:
        return {store_errc::cannot_open, "it cannot be opened or created: its folder must be writable"};
    case SQLITE_NOTADB: return {store_errc::not_a_database, "it is not a database: choose another path"};
    case SQLITE_CORRUPT: return {store_errc::corrupt, "it is damaged: restore a backup"};
    case SQLITE_FULL:
        return {store_errc::full,
                "it may not grow: free disk space, or raise max_page_count or erase entities if that is reached"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return {store_errc::busy, "another process held it longer than busy_timeout: try again or raise it"};
    case SQLITE_READONLY:
    case SQLITE_PERM: return {store_errc::read_only, "it may not be written: change its permissions"};
    case SQLITE_IOERR: return {store_errc::io_failed, "the disk reported an error: check it before writing on"};
    default: return {store_errc::failed, sqlite3_errstr(code)};
    }
}

/// Instructions of SQLite between two looks at the limits of a call: those of a few rows.
constexpr int instructions_between_looks = 100;

/// Sets a flag for the time of its life.
class raised {
public:
    explicit raised(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    ~raised() { flag_ = false; }
    raised(raised const&) = delete;
    raised& operator=(raised const&) = delete;

private:
    bool& flag_;
};

int errno_of(sqlite3* handle) noexcept { return handle ? sqlite3_system_errno(handle) : 0; }

}  // namespace

// --- read_start ------------------------------------------------------------------------------------------------------

std::optional<std::string> read_start(std::string const& path, std::size_t size) {
    sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
    // A file system of SQLite expects names of this form only.
    std::unique_ptr<char const, void (*)(char const*)> const name{
        sqlite3_create_filename(path.c_str(), "", "", 0, nullptr),
        [](char const* n) { sqlite3_free_filename(const_cast<char*>(n)); }};
    if (!vfs || !name) throw std::bad_alloc{};

    auto const memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(vfs->szOsFile));
    auto* const file = reinterpret_cast<sqlite3_file*>(memory.get());
    std::string bytes(size, '\0');
    int rc = vfs->xOpen(vfs, name.get(), file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nullptr);
    bool const opened = rc == SQLITE_OK;
    if (opened) {
        sqlite3_int64 whole = 0;
        rc = file->pMethods->xFileSize(file, &whole);
        bytes.resize(static_cast<std::size_t>(std::min(whole, static_cast<sqlite3_int64>(size))));
        if (rc == SQLITE_OK) rc = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
    }
    if (file->pMethods) file->pMethods->xClose(file);
    if ((rc & 0xFF) == SQLITE_NOMEM) throw std::bad_alloc{};
    if (!opened) return std::nullopt;
    if (rc != SQLITE_OK) {
        auto const m = meaning_of(rc);
        refuse(m.code, "the embedded store '" + path + "': " + m.remedy);
    }
    return bytes;
}

// --- statement -------------------------------------------------------------------------------------------------------

statement::statement(statement&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), owner_(other.owner_) {}

statement& statement::operator=(statement&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(owner_, other.owner_);
    return *this;
}

statement::~statement() { sqlite3_finalize(handle_); }

void statement::bind(int at, std::int64_t value) {
    if (int const rc = sqlite3_bind_int64(handle_, at, value); rc != SQLITE_OK) owner_->fail(rc);
}

void statement::bind_blob(int at, std::string_view bytes) {
    // A null pointer would bind NULL instead of an empty blob.
    char const* const data = bytes.empty() ? "" : bytes.data();
    if (int const rc = sqlite3_bind_blob64(handle_, at, data, bytes.size(), SQLITE_STATIC); rc != SQLITE_OK)
        owner_->fail(rc);
}

void statement::bind_text(int at, std::string_view text) {
    char const* const data = text.empty() ? "" : text.data();
    if (int const rc = sqlite3_bind_text64(handle_, at, data, text.size(), SQLITE_STATIC, SQLITE_UTF8); rc != SQLITE_OK)
        owner_->fail(rc);
}

bool statement::step() {
    int const rc = sqlite3_step(handle_);
    if (rc == SQLITE_ROW) return true;
    if (rc == SQLITE_DONE) return false;
    owner_->fail(rc);
}

bool statement::run() {
    int rc = SQLITE_ROW;
    while (rc == SQLITE_ROW) rc = sqlite3_step(handle_);
    if (rc == SQLITE_CONSTRAINT_UNIQUE) return false;
    if (rc != SQLITE_DONE) owner_->fail(rc);
    return true;
}

void statement::reset() noexcept { sqlite3_reset(handle_); }

std::int64_t statement::integer(int column) const noexcept { return sqlite3_column_int64(handle_, column); }

std::string_view statement::blob(int column) const noexcept {
    // An unprotected value: only one thread may use it, and the same is true of the connection. These three calls cost
    // less than sqlite3_column_blob and sqlite3_column_bytes.
    auto* const value = sqlite3_column_value(handle_, column);
    auto const* const data = static_cast<char const*>(sqlite3_value_blob(value));
    return data ? std::string_view{data, static_cast<std::size_t>(sqlite3_value_bytes(value))} : std::string_view{};
}

// --- database --------------------------------------------------------------------------------------------------------

database::database(std::string path, std::chrono::milliseconds busy_timeout, bool create, char const* file_system)
    : path_(std::move(path)), busy_timeout_(busy_timeout) {
    bool const is_new = create && path_ != ":memory:" && !std::filesystem::exists(path_);
    // NOMUTEX: a connection is never used by two threads at once.
    int const flags =
        SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int const rc = sqlite3_open_v2(path_.c_str(), &handle_, flags, file_system);
    int const meant = rc == SQLITE_OK && sqlite3_db_readonly(handle_, "main") == 1 ? SQLITE_READONLY : rc;
    if (meant != SQLITE_OK) {
        sqlite3_close_v2(std::exchange(handle_, nullptr));
        fail(meant);
    }
    sqlite3_busy_handler(handle_, &database::wait, this);
    // In place of SQLite's own checkpoints, which come without the write lock and never wait for reads.
    sqlite3_wal_hook(handle_, &database::note_commit, this);
    if (path_ != ":memory:") file_ = identity_of(path_.c_str());
    try {
        if (is_new) keep_to_the_owner();
        run_nothing_from_the_file();
    } catch (...) {
        sqlite3_close_v2(handle_);  // no destructor runs
        throw;
    }
}

void database::keep_to_the_owner() const {
    std::error_code e;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write, e);
    if (e)
        refuse(store_errc::cannot_open, "the embedded store '" + path_ +
                                            "': its permissions cannot be set: create an empty file there that only "
                                            "its owner may read");
}

void database::run_nothing_from_the_file() const {
    auto const set = [this](int option, int value) {
        if (int const rc = sqlite3_db_config(handle_, option, value, nullptr); rc != SQLITE_OK) fail(rc);
    };
    set(SQLITE_DBCONFIG_DEFENSIVE, 1);
    set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0);
    set(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0);
    set(SQLITE_DBCONFIG_ENABLE_VIEW, 0);
}

database::~database() {
    // Before the connection that they belong to.
    begin_write_ = {};
    begin_read_ = {};
    commit_ = {};
    rollback_ = {};
    begin_part_ = {};
    keep_part_ = {};
    undo_part_ = {};
    sqlite3_close_v2(handle_);
}

statement database::prepare(std::string_view sql) const {
    sqlite3_stmt* s = nullptr;
    int const rc =
        sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &s, nullptr);
    // The statements are fixed, so an error means that a table or column is missing.
    if (rc == SQLITE_ERROR)
        refuse(store_errc::corrupt,
               "the embedded store '" + path_ + "': its tables are not a store's: restore a backup");
    if (rc != SQLITE_OK) fail(rc);
    return statement{s, this};
}

void database::run(char const* sql) const {
    if (int const rc = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); rc != SQLITE_OK) fail(rc);
}

std::int64_t database::integer(std::string_view sql) const {
    auto s = prepare(sql);
    return s.step() ? s.integer(0) : 0;
}

std::string database::text(std::string_view sql) const {
    auto s = prepare(sql);
    return s.step() ? std::string{s.blob(0)} : std::string{};
}

/// To its end, whatever the limits of the call are.
void database::run_whole(statement& s) {
    raised const whole{is_whole_};
    statement_use use{s};
    use->step();
}

void database::run_whole_without_error(statement& s) noexcept {
    raised const whole{is_whole_};
    sqlite3_step(s.handle_);
    sqlite3_reset(s.handle_);
}

void database::begin(statement& how) {
    roll_back();
    run_whole(how);
}

void database::begin_write() {
    prepare_transactions();
    begin(begin_write_);
}

void database::begin_read() {
    prepare_transactions();
    begin(begin_read_);
}

void database::commit() { run_whole(commit_); }

void database::begin_part() { run_whole(begin_part_); }

void database::keep_part() { run_whole(keep_part_); }

void database::undo_part() {
    run_whole(undo_part_);
    run_whole(keep_part_);  // without what it did
}

void database::prepare_transactions() {
    if (rollback_) return;
    begin_write_ = prepare("BEGIN IMMEDIATE");
    begin_read_ = prepare("BEGIN");
    commit_ = prepare("COMMIT");
    begin_part_ = prepare("SAVEPOINT part");
    keep_part_ = prepare("RELEASE part");
    undo_part_ = prepare("ROLLBACK TO part");
    no_memory_in_commit_ =
        std::make_exception_ptr(error{store_errc::failed, {.reason = "memory ran out", .outcome = outcome::in_doubt}});
    rollback_ = prepare("ROLLBACK");
}

void database::roll_back() noexcept {
    // SQLite has rolled back by itself after some errors.
    if (sqlite3_get_autocommit(handle_) != 0) return;
    run_whole_without_error(rollback_);
}

void database::fail(int code) const {
    if ((code & 0xFF) == SQLITE_NOMEM) throw std::bad_alloc{};
    // The index of the log is a mapped file, whose lack of room SQLite reports as an I/O error. No write depends on it
    // yet.
    bool const no_room = code == SQLITE_IOERR_SHMSIZE && (errno_of(handle_) == ENOSPC || errno_of(handle_) == EDQUOT);
    auto const m = meaning_of(no_room ? SQLITE_FULL : code);
    bool const may_be_the_limits = m.code == store_errc::busy || code == SQLITE_INTERRUPT;
    if (may_be_the_limits && limits_) limits_->check();
    refuse(m.code, "the embedded store '" + path_ + "': " + m.remedy);
}

void database::check_in_place() {
    if (!file_) return;
    if (identity_of(path_.c_str()) != file_) refuse_file_gone(path_);
    auto const log = identity_of(log_name());
    if (!log_) log_ = log;  // SQLite makes the log with the first write
    if (log != log_) refuse_file_gone(path_);
}

/// The log's path: beside the file itself if the path is a link.
char const* database::log_name() const noexcept { return sqlite3_filename_wal(sqlite3_db_filename(handle_, "main")); }

void database::count_log() {
    std::error_code e;
    auto const bytes = std::filesystem::file_size(log_name(), e);
    log_pages_ = e ? 0 : static_cast<std::int64_t>(bytes) / log_frame_bytes;
}

bool database::fold_log(std::chrono::milliseconds at_most) {
    auto const usual = std::exchange(busy_timeout_, at_most);
    folding_ = true;
    int const rc = sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
    folding_ = false;
    busy_timeout_ = usual;
    if ((rc & 0xFF) == SQLITE_BUSY || rc == SQLITE_INTERRUPT) return false;
    if (rc != SQLITE_OK) fail(rc);
    log_pages_ = 0;
    return true;
}

namespace {

constexpr int pages_at_once = 1'000;

/// Steps in which a write of another connection let the copy begin anew, before all pages are copied in one.
constexpr int most_restarts = 3;

using backup = std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)>;

}  // namespace

void database::copy_to(database& target, std::function<void(std::int64_t, std::int64_t)> const& progress) const {
    backup copy{sqlite3_backup_init(target.handle_, "main", handle_, "main"), sqlite3_backup_finish};
    if (!copy) target.fail(sqlite3_extended_errcode(target.handle_));
    int restarts = 0, rc = SQLITE_OK;
    for (int copied = 0; rc == SQLITE_OK;) {
        // In one step the copy holds the log of writes, but comes to its end beside any number of them.
        rc = sqlite3_backup_step(copy.get(), restarts < most_restarts ? pages_at_once : -1);
        int const now = sqlite3_backup_pagecount(copy.get()) - sqlite3_backup_remaining(copy.get());
        if (now <= copied) ++restarts;
        copied = now;
        if (progress) progress(now, sqlite3_backup_pagecount(copy.get()));
    }
    if (rc != SQLITE_DONE) fail(rc);
    if (int const end = sqlite3_backup_finish(copy.release()); end != SQLITE_OK) target.fail(end);
}

int database::note_commit(void* self, sqlite3*, char const*, int pages) {
    static_cast<database*>(self)->log_pages_ = pages;
    return SQLITE_OK;
}

/// A checkpoint that does not get the write lock goes on without it. The interruption ends it before it copies a page.
int database::give_up() const noexcept {
    if (folding_) sqlite3_interrupt(handle_);
    return 0;
}

void database::limit_calls(call_limits const* limits) noexcept {
    limits_ = limits;
    bool const ends = limits && (limits->deadline() || limits->stop().stop_possible());
    sqlite3_progress_handler(handle_, ends ? instructions_between_looks : 0, &database::interrupts, this);
}

std::optional<std::uint32_t> database::version() const noexcept {
    unsigned number = 0;
    if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_DATA_VERSION, &number) != SQLITE_OK) return std::nullopt;
    return number;
}

std::int64_t database::changes() const noexcept { return sqlite3_changes(handle_); }

/// Not in a COMMIT, which may be on the disk already, and not in a fold, which ends by itself.
int database::interrupts(void* self) {
    auto const& db = *static_cast<database*>(self);
    if (db.is_whole_ || db.folding_ || !db.limits_) return 0;
    return db.limits_->stop().stop_requested() || db.limits_->passed() ? 1 : 0;
}

int database::wait(void* self, int tries) {
    auto& db = *static_cast<database*>(self);
    if (no_waiting::refuses()) return db.give_up();
    auto const now = std::chrono::steady_clock::now();
    if (tries == 0) db.wait_began_ = now;
    auto end = db.wait_began_ + db.busy_timeout_;
    if (db.limits_) {
        if (db.limits_->stop().stop_requested()) return db.give_up();
        if (db.limits_->deadline()) end = std::min(end, *db.limits_->deadline());
    }
    if (now >= end) return db.give_up();
    auto const pause = std::chrono::milliseconds{std::min(1 + tries, 20)};
    std::this_thread::sleep_until(std::min<std::chrono::steady_clock::time_point>(now + pause, end));
    return 1;
}

// --- write_transaction -----------------------------------------------------------------------------------------------

write_transaction::write_transaction(database& db) : database_(db) {
    database_.begin_write();
    ++database_.present_write_;
    auto const last = std::exchange(database_.last_version_, std::nullopt);
    if (!last || database_.version() != last) ++database_.foreign_changes_;
}

write_transaction::~write_transaction() {
    if (!is_committed_) database_.last_lost_write_ = database_.present_write_;
    database_.roll_back();
}

void write_transaction::commit() {
    database_.check_in_place();
    try {
        commit_or_explain();
    } catch (std::bad_alloc const&) {
        // Perhaps not of the commit, but of the error that tells of it.
        std::rethrow_exception(database_.no_memory_in_commit());
    }
}

void write_transaction::commit_or_explain() {
    try {
        database_.commit();
        is_committed_ = true;
        database_.last_version_ = database_.version();
    } catch (error const& e) {
        // The commit mark may have reached the disk although something failed, unless there was no room for it.
        if (e.code() == store_errc::full || e.code() == store_errc::busy) throw;
        throw e.with(outcome::in_doubt);
    }
}

}  // namespace tablemap::detail::embedded
