// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tablemap::test {

/// The calls of SQLite that change a file.
enum class disk_call { write, truncate, sync, remove };

/// The part of the unsynced data that reaches the disk before the power fails.
enum class unsynced { lost, torn, kept };

/// The contents of files by their names.
using disk_image = std::map<std::string, std::string>;

/// While it lives, SQLite reaches the files of one folder through it. It knows what a loss of power would leave of
/// them, and calls fail on command. One at a time, and no store of the folder may outlive it.
class unreliable_disk {
public:
    explicit unreliable_disk(std::string folder);
    ~unreliable_disk();
    unreliable_disk(unreliable_disk const&) = delete;
    unreliable_disk& operator=(unreliable_disk const&) = delete;

    /// Asked before each call, with the file's name; it fails with a result of SQLite's other than SQLITE_OK.
    std::function<int(disk_call, std::string const& name)> before;

    /// There is no room to map the index of a log.
    bool index_fails = false;

    /// The folder as it would be if the power went now.
    disk_image after_power_loss(unsynced what, std::mt19937& random) const;

    // --- for the calls of SQLite

    struct change {
        sqlite3_int64 at;
        std::string bytes;
        bool is_truncation;
    };
    struct file {
        std::string synced{};
        std::vector<change> since{};
        bool was_synced = false;
        bool is_removed = false;  // not for good, until the folder is synced
    };

    bool watches(char const* path) const;
    file& opened(std::string const& path);
    int ask(disk_call call, std::string const& path) const;
    void removed(std::string const& path, bool for_good);
    void folder_synced();

private:
    std::string folder_;
    std::map<std::string, file> files_{};
};

}  // namespace tablemap::test
