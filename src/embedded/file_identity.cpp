// SPDX-License-Identifier: Apache-2.0
#include "embedded/file_identity.hpp"

#include "embedded/file_check.hpp"
#include "embedded/refusal.hpp"

#include <sys/stat.h>

namespace tablemap::inline v0_1::detail::embedded {

std::optional<file_identity> identity_of(char const* path) noexcept {
    struct stat s;
    if (::stat(path, &s) != 0) return std::nullopt;
    return file_identity{static_cast<std::uint64_t>(s.st_dev), static_cast<std::uint64_t>(s.st_ino)};
}

void refuse_file_gone(std::string const& path) {
    refuse(store_errc::file_gone,
           file_reason(path,
                       "the file or its log was deleted, renamed or replaced while the store was open: put it back, or "
                       "close the store and open it again"));
}

}  // namespace tablemap::detail::embedded
