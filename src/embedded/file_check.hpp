// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail::embedded {

/// Looks at the header of a file before SQLite does, which might write beside a file that is not ours. A missing or
/// empty file is fine. Errors (thrown): `store_errc::cannot_open`, `not_a_database`, `foreign_database`,
/// `newer_format`, `corrupt`.
void check_file(std::string const& path);

/// Errors (thrown): `store_errc::foreign_database`, `newer_format`.
void check_identity(std::string const& path, std::int64_t application, std::int64_t version);

/// The sentence for an error of this file.
std::string file_reason(std::string const& path, std::string_view what);

}  // namespace tablemap::detail::embedded
