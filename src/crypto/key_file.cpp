// SPDX-License-Identifier: Apache-2.0
#include "tablemap/crypto/key_file.hpp"

#include "tablemap/base/error.hpp"

#include "crypto/key_material.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tablemap::inline v0_1 {
namespace {

class descriptor {
public:
    descriptor(std::string const& path, int flags, mode_t mode = 0)
        : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
    ~descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    descriptor(descriptor const&) = delete;
    descriptor& operator=(descriptor const&) = delete;

    explicit operator bool() const noexcept { return fd_ >= 0; }

    bool write(std::span<std::byte const> data) const noexcept {
        auto const written = ::write(fd_, data.data(), data.size());
        if (written >= 0 && static_cast<std::size_t>(written) != data.size()) errno = ENOSPC;
        return written == static_cast<ssize_t>(data.size());
    }
    /// A file that cannot be synchronised by its nature (EINVAL) is accepted.
    bool synchronise() const noexcept { return ::fsync(fd_) == 0 || errno == EINVAL; }

private:
    int fd_;
};

failure refused(std::string const& path, int reason) {
    if (reason == EEXIST)
        return fail(
            library_errc::invalid_encryption_key,
            {.reason = "the file " + path + " is there already and stays as it is: a new key needs a new file"});
    return fail(library_errc::invalid_encryption_key,
                {.reason = "the file " + path + " cannot be written: " + std::generic_category().message(reason)});
}

/// The name of a new file must reach the disk, too.
bool synchronise_folder_of(std::string const& path) {
    auto const folder = std::filesystem::path{path}.parent_path();
    descriptor const opened{folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY};
    return opened && opened.synchronise();
}

result<void> write_new(std::string const& path, std::span<std::byte const> data) {
    descriptor const file{path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR};
    if (!file) return refused(path, errno);
    if (file.write(data) && file.synchronise() && synchronise_folder_of(path)) return {};
    auto const reason = errno;
    ::unlink(path.c_str());
    return refused(path, reason);
}

}  // namespace

encryption_key make_key_file(std::string_view id, std::string const& path) {
    return value_or_throw(try_make_key_file(id, path));
}

result<encryption_key> try_make_key_file(std::string_view id, std::string const& path) try {
    std::array<std::byte, detail::key_size> secret{};
    detail::wiped const guard{secret};
    detail::fill_random(secret);
    auto key = encryption_key::try_make(id, secret);
    if (!key) return key;
    if (auto const written = write_new(path, secret); !written) return failure{written.error()};
    return key;
} catch (error const& e) {
    return failure{e};
}

}  // namespace tablemap
