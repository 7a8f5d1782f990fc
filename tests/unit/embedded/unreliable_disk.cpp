// SPDX-License-Identifier: Apache-2.0
#include "unit/embedded/unreliable_disk.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>
#include <utility>

namespace tablemap::test {
namespace {

unreliable_disk* present = nullptr;
sqlite3_vfs* real_vfs = nullptr;

/// A file of SQLite's. The real one lies behind it in the same memory.
struct open_file {
    sqlite3_file base;
    unreliable_disk::file* watched;
    std::string* path;
    bool syncs_folder;  // with its first sync, as a file that SQLite may have created

    sqlite3_file* real() noexcept { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

open_file& self(sqlite3_file* f) noexcept { return *reinterpret_cast<open_file*>(f); }
sqlite3_file* real(sqlite3_file* f) noexcept { return self(f).real(); }

int close(sqlite3_file* f) {
    int const rc = real(f)->pMethods->xClose(real(f));
    delete self(f).path;
    return rc;
}

int read(sqlite3_file* f, void* to, int size, sqlite3_int64 at) {
    return real(f)->pMethods->xRead(real(f), to, size, at);
}

int write(sqlite3_file* f, void const* from, int size, sqlite3_int64 at) {
    if (int const rc = present->ask(disk_call::write, *self(f).path); rc != SQLITE_OK) return rc;
    self(f).watched->since.push_back({at, {static_cast<char const*>(from), static_cast<std::size_t>(size)}, false});
    return real(f)->pMethods->xWrite(real(f), from, size, at);
}

int truncate(sqlite3_file* f, sqlite3_int64 size) {
    if (int const rc = present->ask(disk_call::truncate, *self(f).path); rc != SQLITE_OK) return rc;
    self(f).watched->since.push_back({size, {}, true});
    return real(f)->pMethods->xTruncate(real(f), size);
}

void apply(std::string& contents, unreliable_disk::change const& c) {
    auto const at = static_cast<std::size_t>(c.at);
    if (c.is_truncation) return contents.resize(at);
    contents.resize(std::max(contents.size(), at + c.bytes.size()));
    std::copy(c.bytes.begin(), c.bytes.end(), contents.begin() + static_cast<std::ptrdiff_t>(at));
}

int sync(sqlite3_file* f, int) {
    if (int const rc = present->ask(disk_call::sync, *self(f).path); rc != SQLITE_OK) return rc;
    auto& w = *self(f).watched;
    for (auto const& c : w.since) apply(w.synced, c);
    w.since.clear();
    w.was_synced = true;
    if (std::exchange(self(f).syncs_folder, false)) present->folder_synced();
    return SQLITE_OK;  // the contents of the real disk do not matter here
}

int size_of(sqlite3_file* f, sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); }
int lock(sqlite3_file* f, int level) { return real(f)->pMethods->xLock(real(f), level); }
int unlock(sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); }
int reserved(sqlite3_file* f, int* out) { return real(f)->pMethods->xCheckReservedLock(real(f), out); }
int control(sqlite3_file* f, int op, void* arg) { return real(f)->pMethods->xFileControl(real(f), op, arg); }
int sector(sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); }
int traits(sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); }
int shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** out) {
    if (present->index_fails) {
        errno = ENOSPC;
        return SQLITE_IOERR_SHMSIZE;
    }
    return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
}
int shm_lock(sqlite3_file* f, int at, int n, int flags) { return real(f)->pMethods->xShmLock(real(f), at, n, flags); }
void shm_barrier(sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); }
int shm_unmap(sqlite3_file* f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); }

constexpr sqlite3_io_methods methods{.iVersion = 2,
                                     .xClose = close,
                                     .xRead = read,
                                     .xWrite = write,
                                     .xTruncate = truncate,
                                     .xSync = sync,
                                     .xFileSize = size_of,
                                     .xLock = lock,
                                     .xUnlock = unlock,
                                     .xCheckReservedLock = reserved,
                                     .xFileControl = control,
                                     .xSectorSize = sector,
                                     .xDeviceCharacteristics = traits,
                                     .xShmMap = shm_map,
                                     .xShmLock = shm_lock,
                                     .xShmBarrier = shm_barrier,
                                     .xShmUnmap = shm_unmap,
                                     .xFetch = nullptr,
                                     .xUnfetch = nullptr};

int open(sqlite3_vfs*, char const* path, sqlite3_file* f, int flags, int* out) {
    if (!present->watches(path)) return real_vfs->xOpen(real_vfs, path, f, flags, out);
    f->pMethods = nullptr;
    auto const rc = real_vfs->xOpen(real_vfs, path, real(f), flags, out);
    if (rc != SQLITE_OK) return rc;
    self(f).path = new std::string{path};
    self(f).watched = &present->opened(path);
    self(f).syncs_folder = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    f->pMethods = &methods;
    return SQLITE_OK;
}

int remove(sqlite3_vfs*, char const* path, int sync_folder) {
    if (!present->watches(path)) return real_vfs->xDelete(real_vfs, path, sync_folder);
    if (int const rc = present->ask(disk_call::remove, path); rc != SQLITE_OK) return rc;
    present->removed(path, sync_folder != 0);
    return real_vfs->xDelete(real_vfs, path, sync_folder);
}

sqlite3_vfs vfs{};

std::string contents_of(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

/// The parts of a write that the disk keeps: whole sectors, each for itself.
void apply_torn(std::string& contents, unreliable_disk::change const& c, std::mt19937& random) {
    constexpr std::size_t sector_bytes = 512;
    if (c.is_truncation || c.bytes.size() <= sector_bytes) {
        if (random() % 2) apply(contents, c);
        return;
    }
    for (std::size_t i = 0; i < c.bytes.size(); i += sector_bytes)
        if (random() % 2)
            apply(contents, {c.at + static_cast<sqlite3_int64>(i), c.bytes.substr(i, sector_bytes), false});
}

}  // namespace

unreliable_disk::unreliable_disk(std::string folder) : folder_(std::move(folder)) {
    if (present) throw std::logic_error{"one unreliable disk at a time"};
    present = this;
    real_vfs = sqlite3_vfs_find("unix");
    vfs = *real_vfs;
    vfs.zName = "unreliable";
    vfs.szOsFile = static_cast<int>(sizeof(open_file)) + real_vfs->szOsFile;
    vfs.xOpen = open;
    vfs.xDelete = remove;
    sqlite3_vfs_register(&vfs, 1);
}

unreliable_disk::~unreliable_disk() {
    sqlite3_vfs_register(real_vfs, 1);
    sqlite3_vfs_unregister(&vfs);
    present = nullptr;
}

bool unreliable_disk::watches(char const* path) const {
    return path && std::filesystem::path{path}.parent_path() == folder_;
}

unreliable_disk::file& unreliable_disk::opened(std::string const& path) {
    auto const [at, is_new] = files_.try_emplace(path);
    auto& f = at->second;
    if (is_new) {
        f.synced = contents_of(path);
        f.was_synced = !f.synced.empty();
    } else if (f.is_removed) {
        f = {};
    }
    return f;
}

int unreliable_disk::ask(disk_call call, std::string const& path) const {
    return before ? before(call, std::filesystem::path{path}.filename().string()) : SQLITE_OK;
}

void unreliable_disk::removed(std::string const& path, bool for_good) {
    auto& f = files_[path];
    if (for_good) f = {};
    f.is_removed = true;
}

void unreliable_disk::folder_synced() {
    for (auto& [path, f] : files_)
        if (f.is_removed) f = {.is_removed = true};
}

disk_image unreliable_disk::after_power_loss(unsynced what, std::mt19937& random) const {
    disk_image image;
    for (auto const& [path, f] : files_) {
        bool const is_there = what == unsynced::kept ? !f.is_removed : f.was_synced;
        if (!is_there) continue;
        auto contents = f.synced;
        for (auto const& c : f.since) {
            if (what == unsynced::kept) apply(contents, c);
            if (what == unsynced::torn) apply_torn(contents, c, random);
        }
        image.emplace(std::filesystem::path{path}.filename().string(), std::move(contents));
    }
    return image;
}

}  // namespace tablemap::test
