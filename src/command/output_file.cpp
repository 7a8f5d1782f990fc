// SPDX-License-Identifier: Apache-2.0
#include "command/output_file.hpp"

#include "base/durable_file.hpp"
#include "command/open_store.hpp"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tablemap::inline v0_1::command {
namespace {

namespace fs = std::filesystem;

constexpr mode_t of_the_owner = 0600, of_all = 0666;

[[noreturn]] void fail(std::string const& what) { throw std::system_error{errno, std::generic_category(), what}; }

/// Opens the part. One that replaces a file is its owner's alone until it has the permissions of that file.
int open_part(std::string const& part, bool replaces) {
    int const flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int const descriptor = ::open(part.c_str(), flags, replaces ? of_the_owner : of_all);
    if (descriptor < 0) fail("cannot write the file " + part);
    return descriptor;
}

}  // namespace

void require_absent(std::string const& file, bool overwrite) {
    if (fs::exists(file) && !overwrite)
        throw usage_error{"the file " + file + " is there already; --overwrite replaces it"};
}

void require_free(std::string const& file, bool overwrite) {
    if (detail::is_no_file(file))
        throw usage_error{file + " is no file; leave --output out, and direct the standard output there"};
    require_absent(file, overwrite);
}

output_file::output_file(std::string const& file, bool overwrite)
    : file_(detail::behind_links(file)),
      part_(file_ + ".part"),
      overwrite_(overwrite),
      lock_(open_part(part_, fs::exists(file_))) {
    try {
        lock();
    } catch (...) {
        close(lock_);  // no destructor runs
        throw;
    }
}

output_file::~output_file() { close(lock_); }

void output_file::lock() const {
    if (!fs::is_regular_file(part_)) throw std::runtime_error{part_ + " is no file; remove it, or name another file"};
    bool const locked = flock(lock_, LOCK_EX | LOCK_NB) == 0;
    if (!locked && errno != EWOULDBLOCK) fail("cannot lock the file " + part_);
    if (!locked || !has_name())
        throw std::runtime_error{"another process writes " + part_ + "; wait for it, or name another file"};
    if (fs::exists(file_) && fchmod(lock_, of_the_owner) != 0) fail("cannot set the permissions of " + part_);
}

/// False if another process has renamed or removed it since it was opened.
bool output_file::has_name() const {
    struct stat opened {
    }, named{};
    return fstat(lock_, &opened) == 0 && lstat(part_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

std::ostream& output_file::begin(bool behind) {
    out_.open(part_, std::ios::binary | (behind ? std::ios::app : std::ios::trunc));
    if (!out_) throw std::runtime_error{"cannot write the file " + part_};
    return out_;
}

void output_file::finish() {
    out_.close();
    if (!out_) throw std::runtime_error{"cannot write the file " + part_ + "; is there room?"};
    if (!has_name()) throw std::runtime_error{"the file " + part_ + " was removed or renamed while it was written"};
    give_name();
}

void output_file::give_name() const {
    if (overwrite_) return detail::rename_durably(part_, file_);
    try {
        detail::name_durably(part_, file_);
    } catch (std::system_error const& e) {
        if (e.code() != std::errc::file_exists) throw;
        throw std::runtime_error{"the file " + file_ + " came up meanwhile and is left; what was to be in it is " +
                                 part_};
    }
}

void write_file(std::string const& file, bool overwrite, std::string const& text) {
    output_file to{file, overwrite};
    to.begin(false) << text;
    to.finish();
}

}  // namespace tablemap::inline v0_1::command
