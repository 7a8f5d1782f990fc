// SPDX-License-Identifier: Apache-2.0
#include "base/durable_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
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

}  // namespace

void rename_durably(std::string const& from, std::string const& to) {
    synchronise(from);
    if (std::rename(from.c_str(), to.c_str()) != 0) fail("cannot rename " + from + " to", to);
    synchronise_folder_of(to);
}

void name_durably(std::string const& from, std::string const& to) {
    synchronise(from);
    // Unlike a rename, a link never replaces a file.
    if (link(from.c_str(), to.c_str()) != 0 || unlink(from.c_str()) != 0) fail("cannot name " + from, to);
    synchronise_folder_of(to);
}

void write_durably(std::string const& path, std::string_view text) {
    auto const unfinished = path + ".new";
    errno = 0;
    std::ofstream out{unfinished, std::ios::binary | std::ios::trunc};
    out << text << std::flush;
    if (!out) fail("cannot write", unfinished);
    out.close();
    rename_durably(unfinished, path);
}

}  // namespace tablemap::inline v0_1::detail
