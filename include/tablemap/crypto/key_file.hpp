// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/crypto/encryption_key.hpp"

#include <string>
#include <string_view>

namespace tablemap::inline v0_1 {

/// Makes a new key of 32 random bytes and writes them to a new file, which `encryption_key::from_file` reads. Only its
/// owner may read and write the file, and it is on the disk when the key is returned. An existing file of that name is
/// never replaced: a table may be unreadable without it.
///
/// \return the key
/// \throws error `library_errc::invalid_encryption_key` for an invalid id (nothing is written then), and for a file
/// that exists already or cannot be written (a part that was written is removed); `library_errc::unsupported` if
/// OpenSSL has no random numbers
/// \par Thread safety
/// May be called at any time.
result<encryption_key> try_make_key_file(std::string_view id, std::string const& path);
encryption_key make_key_file(std::string_view id, std::string const& path);

}  // namespace tablemap
