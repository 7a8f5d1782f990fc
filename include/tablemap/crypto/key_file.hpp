// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"

#include <string>
#include <string_view>

namespace tablemap {

/// Makes a new key of 32 random bytes and writes them to a new file, which `encryption_key::from_file` reads. Its owner alone may
/// read and write the file, and it is on the disk when the key is returned. A file of that name stays as it is: it may be
/// all that can read a table. Thread safety: may be called at any time.
///
/// Errors: `library_errc::invalid_encryption_key` for an id that cannot be one (nothing is written then), a file that is there
/// already or cannot be written (what was begun is removed); `library_errc::unsupported` where OpenSSL has no random numbers.
result<encryption_key> try_make_key_file(std::string_view id, std::string const& path);
inline encryption_key make_key_file(std::string_view id, std::string const& path) {
    return value_or_throw(try_make_key_file(id, path));
}

}  // namespace tablemap
