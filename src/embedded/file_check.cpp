// SPDX-License-Identifier: Apache-2.0
#include "embedded/file_check.hpp"

#include "embedded/refusal.hpp"
#include "embedded/schema.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tablemap::detail::embedded {
namespace {

namespace fs = std::filesystem;

/// The first bytes of an SQLite file. Source: the database file format of SQLite, sections 1.3 and 1.6.
class header {
public:
    explicit header(std::array<char, 108> const& bytes) noexcept : bytes_(bytes) {}

    bool is_sqlite() const noexcept {
        constexpr std::string_view magic{"SQLite format 3\0", 16};
        return std::string_view{bytes_.data(), magic.size()} == magic;
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
    std::uint64_t number(std::size_t at, std::size_t size) const noexcept {
        std::uint64_t n = 0;
        for (std::size_t i = at; i < at + size; ++i) n = n << 8 | static_cast<unsigned char>(bytes_[i]);
        return n;
    }

    std::array<char, 108> const& bytes_;
};

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
    std::error_code ignored;
    auto const status = fs::status(path, ignored);
    if (!fs::exists(status)) return;
    if (!fs::is_regular_file(status))
        refuse(store_errc::cannot_open, file_reason(path, "it is not a regular file: choose another path"));
    auto const size = fs::file_size(path, ignored);
    if (ignored || size == 0) return;

    std::ifstream file{path, std::ios::binary};
    if (!file) refuse(store_errc::cannot_open, file_reason(path, "it may not be read: change its permissions"));
    std::array<char, 108> bytes{};
    file.read(bytes.data(), bytes.size());
    header const h{bytes};
    if (file.gcount() < static_cast<std::streamsize>(bytes.size()) || !h.is_sqlite())
        refuse(store_errc::not_a_database, file_reason(path, "it is not a database: choose another path"));
    if (h.application_id() == 0 && h.has_no_tables()) return;
    check_identity(path, h.application_id(), h.user_version());

    // With a log beside it the file may be behind; without one it must be whole.
    auto const log = fs::file_size(path + "-wal", ignored);
    bool const has_log = !ignored && log > 0;
    if (!has_log && h.pages() * h.page_size() > size)
        refuse(store_errc::damaged, file_reason(path, "it is shorter than its header says: restore a backup"));
}

}  // namespace tablemap::detail::embedded
