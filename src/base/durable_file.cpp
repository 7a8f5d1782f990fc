// SPDX-License-Identifier: Apache-2.0
#include "base/durable_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tablemap::inline v0_1::detail {
namespace {

[[noreturn]] void fail(std::string const& what, std::string const& path) {
    throw std::system_error{errno, std::generic_category(), what + " " + path};
}

void synchronise(std::string const& path) {
    int const descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail("cannot open", path);
    int const result = fsync(descriptor);
    int const reason = errno;
    close(descriptor);
    errno = reason;
    if (result != 0) fail("cannot write", path);
}

void synchronise_folder_of(std::string const& path) {
    auto const folder = std::filesystem::path{path}.parent_path();
    synchronise(folder.empty() ? "." : folder.string());
}

void take_permissions(std::string const& to, std::string const& from) {
    constexpr mode_t permissions = S_IRWXU | S_IRWXG | S_IRWXO;
    struct stat meant {
    }, present{};
    if (stat(from.c_str(), &meant) != 0 || stat(to.c_str(), &present) != 0) return;  // nothing is replaced
    if (((meant.st_mode ^ present.st_mode) & permissions) == 0) return;
    if (chmod(to.c_str(), meant.st_mode & permissions) != 0) fail("cannot set the permissions of", to);
}

/// \return false if the file system knows no such rename
bool rename_to_free_name(std::string const& from, std::string const& to) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno == EINVAL || errno == ENOSYS) return false;
    fail("cannot rename " + from + " to", to);
}

}  // namespace

std::string behind_links(std::string const& path) {
    std::error_code e;
    auto real = std::filesystem::canonical(path, e);
    return e ? path : real.string();
}

bool is_no_file(std::string const& path) {
    std::error_code e;
    auto const status = std::filesystem::status(path, e);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

void rename_durably(std::string const& from, std::string const& to) {
    if (is_no_file(to)) {
        errno = EEXIST;
        fail("what is no file must not be replaced:", to);
    }
    take_permissions(from, to);
    synchronise(from);
    if (std::rename(from.c_str(), to.c_str()) != 0) fail("cannot rename " + from + " to", to);
    synchronise_folder_of(to);
}

void name_durably(std::string const& from, std::string const& to) {
    synchronise(from);
    // Unlike an ordinary rename, neither this one nor a link ever replaces a file.
    if (!rename_to_free_name(from, to) && (link(from.c_str(), to.c_str()) != 0 || unlink(from.c_str()) != 0))
        fail("cannot rename " + from + " to", to);
    synchronise_folder_of(to);
}

void write_durably(std::string const& path, std::string_view text) {
    auto const real = behind_links(path);
    auto const unfinished = real + ".new";
    errno = 0;
    std::ofstream out{unfinished, std::ios::binary | std::ios::trunc};
    out << text << std::flush;
    if (!out) fail("cannot write", unfinished);
    out.close();
    rename_durably(unfinished, real);
}

}  // namespace tablemap::inline v0_1::detail
