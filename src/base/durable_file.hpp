// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Files that are whole or not there, whatever ends the process.
namespace tablemap::inline v0_1::detail {

/// Writes a file under a name of its own beside `path`, then gives it its name.
///
/// \throws std::system_error with the path
void write_durably(std::string const& path, std::string_view text);

/// Waits until what was written to `from` is on the disk, then renames it to `to`.
///
/// \throws std::system_error with the path
void rename_durably(std::string const& from, std::string const& to);

/// The same if there is no file `to`.
///
/// \throws std::system_error with the path; `std::errc::file_exists` if there is one
void name_durably(std::string const& from, std::string const& to);

}  // namespace tablemap::inline v0_1::detail
