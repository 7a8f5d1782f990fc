// SPDX-License-Identifier: Apache-2.0
#include "embedded/resident_files.hpp"

#include <sqlite3.h>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

namespace tablemap::inline v0_1::detail::embedded {

// --- no_waiting ------------------------------------------------------------------------------------------------------

no_waiting::no_waiting() noexcept : outer_(here) { here = this; }

no_waiting::~no_waiting() { here = outer_; }

bool no_waiting::refuses() noexcept {
    if (here) here->has_refused_ = true;
    return here != nullptr;
}

namespace {

// --- files -----------------------------------------------------------------------------------------------------------

/// A file as SQLite sees it. That of the usual file system lies behind it in the same memory.
struct open_file {
    sqlite3_file base;
    sqlite3_io_methods methods;
    bool is_database;
    sqlite3_int64 most_mapped;  ///< bytes at the start of a database that SQLite can map

    sqlite3_file* usual() noexcept { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

open_file& self(sqlite3_file* f) noexcept { return *reinterpret_cast<open_file*>(f); }

#ifdef __linux__

bool is_in_memory(void* at, std::size_t size) noexcept {
    static auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    constexpr std::size_t most_pages = 17;  // of 4 KiB, in the largest page of SQLite
    std::array<unsigned char, most_pages> states{};
    auto const before = reinterpret_cast<std::uintptr_t>(at) % page;
    auto const pages = (before + size + page - 1) / page;
    if (pages > most_pages || mincore(static_cast<char*>(at) - before, before + size, states.data()) != 0) return false;
    return std::all_of(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(pages),
                       [](unsigned char s) { return (s & 1) != 0; });
}

/// SQLite's own mapping of the file, since closing a descriptor of ours would drop the locks of the process on the
/// file. It is never read: that would end the process if the disk failed.
void* mapping_of(sqlite3_file* f, sqlite3_int64 at) noexcept {
    // SQLite may refuse a part that reaches to the end of the file.
    constexpr int start_of_page = 1;
    void* found = nullptr;
    if (f->pMethods->xFetch(f, at, start_of_page, &found) != SQLITE_OK || found) return found;
    // The file has grown since it was mapped.
    f->pMethods->xUnfetch(f, 0, nullptr);
    f->pMethods->xFetch(f, at, start_of_page, &found);
    return found;
}

bool is_in_memory(open_file& o, int size, sqlite3_int64 at) noexcept {
    if (at + size > o.most_mapped) return false;
    auto* const f = o.usual();
    void* const mapped = mapping_of(f, at);
    if (!mapped) return false;
    bool const resident = is_in_memory(mapped, static_cast<std::size_t>(size));
    f->pMethods->xUnfetch(f, at, mapped);
    return resident;
}

/// Lets SQLite map as much of the file as it was built for.
sqlite3_int64 map(sqlite3_file* f) noexcept {
    if (f->pMethods->iVersion < 3 || !f->pMethods->xFetch || !f->pMethods->xUnfetch) return 0;
    sqlite3_int64 size = std::numeric_limits<sqlite3_int64>::max();
    if (f->pMethods->xFileControl(f, SQLITE_FCNTL_MMAP_SIZE, &size) != SQLITE_OK) return 0;
    size = -1;  // asks
    return f->pMethods->xFileControl(f, SQLITE_FCNTL_MMAP_SIZE, &size) == SQLITE_OK ? size : 0;
}

#else

bool is_in_memory(open_file&, int, sqlite3_int64) noexcept { return false; }
sqlite3_int64 map(sqlite3_file*) noexcept { return 0; }

#endif

/// The log is not asked for: it is short, and was written lately.
int read(sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
    auto& o = self(f);
    bool const may_wait = !no_waiting::is_here() || !o.is_database || is_in_memory(o, size, at);
    if (!may_wait && no_waiting::refuses()) return SQLITE_IOERR_READ;
    return o.usual()->pMethods->xRead(o.usual(), to, size, at);
}

/// A member of a table of functions, carried out by the usual file or file system.
template <auto member> struct passed_on;

template <class Result, class... Args, Result (*sqlite3_io_methods::*member)(sqlite3_file*, Args...)>
struct passed_on<member> {
    static Result call(sqlite3_file* f, Args... args) {
        auto* const usual = self(f).usual();
        return (usual->pMethods->*member)(usual, args...);
    }
};

template <class Result, class... Args, Result (*sqlite3_vfs::*member)(sqlite3_vfs*, Args...)> struct passed_on<member> {
    static Result call(sqlite3_vfs* v, Args... args) {
        auto* const usual = static_cast<sqlite3_vfs*>(v->pAppData);
        return (usual->*member)(usual, args...);
    }
};

using io = sqlite3_io_methods;

/// Without the functions of version 3: SQLite shall not read from a mapping.
constexpr io methods{.iVersion = 2,
                     .xClose = passed_on<&io::xClose>::call,
                     .xRead = read,
                     .xWrite = passed_on<&io::xWrite>::call,
                     .xTruncate = passed_on<&io::xTruncate>::call,
                     .xSync = passed_on<&io::xSync>::call,
                     .xFileSize = passed_on<&io::xFileSize>::call,
                     .xLock = passed_on<&io::xLock>::call,
                     .xUnlock = passed_on<&io::xUnlock>::call,
                     .xCheckReservedLock = passed_on<&io::xCheckReservedLock>::call,
                     .xFileControl = passed_on<&io::xFileControl>::call,
                     .xSectorSize = passed_on<&io::xSectorSize>::call,
                     .xDeviceCharacteristics = passed_on<&io::xDeviceCharacteristics>::call,
                     .xShmMap = passed_on<&io::xShmMap>::call,
                     .xShmLock = passed_on<&io::xShmLock>::call,
                     .xShmBarrier = passed_on<&io::xShmBarrier>::call,
                     .xShmUnmap = passed_on<&io::xShmUnmap>::call,
                     .xFetch = nullptr,
                     .xUnfetch = nullptr};

// --- the file system -------------------------------------------------------------------------------------------------

int open(sqlite3_vfs* v, char const* path, sqlite3_file* f, int flags, int* out) {
    auto* const usual = static_cast<sqlite3_vfs*>(v->pAppData);
    auto& o = *new (f) open_file{};
    int const rc = usual->xOpen(usual, path, o.usual(), flags, out);
    if (!o.usual()->pMethods) return rc;
    o.methods = methods;
    // A file system without shared memory has no write-ahead log, as SQLite finds out by this.
    if (o.usual()->pMethods->iVersion < 2 || !o.usual()->pMethods->xShmMap) o.methods.iVersion = 1;
    o.base.pMethods = &o.methods;
    o.is_database = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    if (o.is_database) o.most_mapped = map(o.usual());
    return rc;
}

/// Only while SQLite tries again to begin a read beside others, a limited number of times.
int sleep(sqlite3_vfs* v, int microseconds) {
    return no_waiting::refuses() ? 0 : passed_on<&sqlite3_vfs::xSleep>::call(v, microseconds);
}

}  // namespace

struct resident_files::file_system : sqlite3_vfs {
    explicit file_system(sqlite3_vfs& usual) : sqlite3_vfs{usual} {
        zName = name.c_str();
        pNext = nullptr;
        pAppData = &usual;
        iVersion = std::min(usual.iVersion, 2);  // version 3 replaces functions of the system
        szOsFile = usual.szOsFile + static_cast<int>(sizeof(open_file));
        xOpen = open;
        xDelete = passed_on<&sqlite3_vfs::xDelete>::call;
        xAccess = passed_on<&sqlite3_vfs::xAccess>::call;
        xFullPathname = passed_on<&sqlite3_vfs::xFullPathname>::call;
        xDlOpen = passed_on<&sqlite3_vfs::xDlOpen>::call;
        xDlError = passed_on<&sqlite3_vfs::xDlError>::call;
        xDlSym = passed_on<&sqlite3_vfs::xDlSym>::call;
        xDlClose = passed_on<&sqlite3_vfs::xDlClose>::call;
        xRandomness = passed_on<&sqlite3_vfs::xRandomness>::call;
        xSleep = sleep;
        xCurrentTime = passed_on<&sqlite3_vfs::xCurrentTime>::call;
        xGetLastError = passed_on<&sqlite3_vfs::xGetLastError>::call;
        xCurrentTimeInt64 = passed_on<&sqlite3_vfs::xCurrentTimeInt64>::call;
        sqlite3_vfs_register(this, 0);
    }
    ~file_system() { sqlite3_vfs_unregister(this); }
    file_system(file_system const&) = delete;
    file_system& operator=(file_system const&) = delete;

    /// No other store's, and none of another copy of this library in the process.
    std::string const name = "tablemap-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
};

resident_files::resident_files() {
    auto* const usual = sqlite3_vfs_find(nullptr);
    if (!usual) throw std::bad_alloc{};
    registered_ = std::make_unique<file_system>(*usual);
}

resident_files::~resident_files() = default;

char const* resident_files::name() const noexcept { return registered_->name.c_str(); }

}  // namespace tablemap::detail::embedded
