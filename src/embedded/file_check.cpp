// SPDX-License-Identifier: Apache-2.0
#include "embedded/file_check.hpp"

#include "base/durable_file.hpp"
#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"
#include "embedded/sqlite.hpp"

#include <filesystem>
#include <system_error>

namespace tablemap::inline v0_1::detail::embedded {
namespace {

namespace fs = std::filesystem;

/// The first bytes of an SQLite file. Source: the database file format of SQLite, sections 1.3 and 1.6.
class header {
public:
    static constexpr std::size_t extent = 108;

    explicit header(std::string_view bytes) noexcept : bytes_(bytes) {}

    bool is_sqlite() const noexcept {
        constexpr std::string_view magic{"SQLite format 3\0", 16};
        return bytes_.size() == extent && bytes_.starts_with(magic);
    }
    /// True if SQLite takes it for a file of this store. It would open a damaged one for reading only, or fail later.
    bool is_sound() const noexcept {
        auto const write_version = number(18, 1), read_version = number(19, 1);
        bool const known = write_version >= 1 && write_version <= 2 && read_version >= 1 && read_version <= 2;
        constexpr std::uint64_t payload_fractions = 0x40'20'20;
        constexpr std::uint64_t utf8 = 1;
        return known && page_size() >= 512 && (page_size() & (page_size() - 1)) == 0 && number(20, 1) <= 32 &&
               number(21, 3) == payload_fractions && number(44, 4) >= 1 && number(44, 4) <= 4 &&
               number(56, 4) == utf8 && user_version() >= 1;
    }
    std::uint64_t page_size() const noexcept {
        auto const size = number(16, 2);
        return size == 1 ? 65536 : size;
    }
    std::uint64_t pages() const noexcept { return number(28, 4); }
    std::int64_t user_version() const noexcept { return static_cast<std::int64_t>(number(60, 4)); }
    std::int64_t application_id() const noexcept { return static_cast<std::int64_t>(number(68, 4)); }

    /// Nothing was ever created in it: the schema's tree is one leaf without cells.
    bool has_no_tables() const noexcept { return number(100, 1) == 13 && number(103, 2) == 0; }

private:
    std::uint64_t number(std::size_t at, std::size_t length) const noexcept {
        std::uint64_t n = 0;
        for (std::size_t i = at; i < at + length; ++i) n = n << 8 | static_cast<unsigned char>(bytes_[i]);
        return n;
    }

    std::string_view bytes_;
};

/// For a file that is not there. Says which folder is in the way of creating it, if one is.
void check_folder(std::string const& path) {
    std::error_code e;
    auto const folder = fs::path{path}.parent_path();
    if (folder.empty()) return;  // a bare name is one in the current folder
    auto const is_root = [](fs::path const& p) { return p == p.parent_path(); };
    for (auto above = folder;; above = above.parent_path()) {
        auto const status = fs::status(above, e);
        if (e == std::errc::permission_denied)
            refuse(store_errc::cannot_open, file_reason(path, "the folder '" + above.parent_path().string() +
                                                                  "' may not be entered: change its permissions"));
        if (fs::exists(status) && !fs::is_directory(status))
            refuse(store_errc::cannot_open,
                   file_reason(path, "'" + above.string() + "' is no folder: choose another path"));
        if (fs::exists(status) && above == folder) return;
        if (fs::exists(status) || is_root(above))
            refuse(store_errc::cannot_open,
                   file_reason(path, "the folder '" + folder.string() + "' is missing: create it"));
    }
}

/// SQLite would take it for a new database, and delete the log with the writes in it.
[[noreturn]] void refuse_lone_log(std::string const& path, std::string const& log) {
    refuse(store_errc::corrupt, file_reason(path, "it is missing or empty, but its log '" + log +
                                                      "' is there: put the file back or restore a backup"));
}

}  // namespace

std::string file_reason(std::string const& path, std::string_view what) {
    return "the embedded store '" + path + "': " + std::string{what};
}

void check_identity(std::string const& path, std::int64_t application, std::int64_t version) {
    if (application != application_id)
        refuse(store_errc::foreign_database,
               file_reason(path,
                           "it is an SQLite database of another program and was left as it is: choose another path"));
    if (version > format_version)
        refuse(store_errc::newer_format,
               file_reason(path, "it has format " + std::to_string(version) +
                                     ", this version of tablemap reads up to " + std::to_string(format_version) +
                                     ": use a newer tablemap"));
}

void check_file(std::string const& path) {
    std::error_code e;
    // The log comes first: another process that creates the store makes the log after the file has its tables.
    auto const real = behind_links(path);  // as for SQLite: the log lies beside the file, not beside a link to it
    auto const log = real + "-wal";
    auto const log_size = fs::file_size(log, e);
    bool const has_log = !e && log_size > 0;
    auto const status = fs::status(path, e);
    if (e == std::errc::permission_denied)
        refuse(store_errc::cannot_open, file_reason(path, "its folder may not be entered: change its permissions"));
    if (!fs::exists(status) && has_log) refuse_lone_log(path, log);
    if (!fs::exists(status)) return check_folder(path);
    if (!fs::is_regular_file(status))
        refuse(store_errc::cannot_open, file_reason(path, "it is not a regular file: choose another path"));
    bool const empty = fs::file_size(path, e) == 0;
    if (empty && has_log) refuse_lone_log(path, log);
    if (empty) return;

    auto const start = read_start(real, header::extent);
    if (!start) refuse(store_errc::cannot_open, file_reason(path, "it may not be read: change its permissions"));
    header const h{*start};
    if (!h.is_sqlite())
        refuse(store_errc::not_a_database, file_reason(path, "it is not a database: choose another path"));
    if (h.application_id() == 0 && h.has_no_tables()) return;
    check_identity(path, h.application_id(), h.user_version());
    if (!h.is_sound()) refuse(store_errc::corrupt, file_reason(path, "its header is damaged: restore a backup"));

    // With a log beside it the file may be behind; without one it must be whole. The size comes last: a process that
    // folds the log into the file meanwhile writes the header first and removes the log at the end.
    auto const log_now = fs::file_size(log, e);
    if (!e && log_now > 0) return;
    auto const size = fs::file_size(path, e);
    if (!e && h.pages() * h.page_size() > size)
        refuse(store_errc::corrupt, file_reason(path, "it is shorter than its header says: restore a backup"));
}

}  // namespace tablemap::detail::embedded
