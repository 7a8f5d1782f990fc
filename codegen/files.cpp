// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>

namespace tablemap::codegen {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string const& what, fs::path const& path, std::error_code reason) {
    throw std::system_error{reason, "cannot " + what + " " + path.string()};
}

/// The reason of the last failed system call, as streams leave it.
std::error_code last_reason() { return {errno != 0 ? errno : EIO, std::generic_category()}; }

void write_into(fs::path const& path, std::string const& text) {
    errno = 0;
    std::ofstream file{path, std::ios::binary | std::ios::trunc};
    file << text;
    file.close();
    if (!file) throw std::system_error{last_reason()};
}

/// A name in the folder of `path` that no other run takes.
fs::path temporary_beside(fs::path const& path) {
    std::random_device random;
    auto const first = std::to_string(random());
    return path.parent_path() / ("tablemap-gen-" + first + "-" + std::to_string(random()) + ".part");
}

void replace(fs::path const& path, std::string const& text) {
    auto const part = temporary_beside(path);
    std::error_code ignored;
    try {
        write_into(part, text);
        if (auto const old = fs::status(path); fs::exists(old)) fs::permissions(part, old.permissions(), ignored);
        fs::rename(part, path);
    } catch (std::system_error const&) {
        fs::remove(part, ignored);
        throw;
    }
}

}  // namespace

std::string read_file(fs::path const& path) {
    if (fs::is_directory(path)) fail("read", path, std::make_error_code(std::errc::is_a_directory));
    errno = 0;
    std::ifstream file{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (!file) fail("read", path, last_reason());
    return text;
}

void write_file(fs::path const& path, std::string const& text) try {
    auto const target = fs::status(path);
    if (fs::is_regular_file(target))
        replace(fs::canonical(path), text);
    else if (fs::exists(fs::symlink_status(path)))
        write_into(path, text);  // a pipe, a device, a link to a file that does not exist yet
    else
        replace(path, text);
} catch (std::system_error const& e) {
    fail("write", path, e.code());
}

bool is_same_file(fs::path const& a, fs::path const& b) {
    std::error_code none_there;
    if (fs::equivalent(a, b, none_there)) return true;
    return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
}

}  // namespace tablemap::codegen
