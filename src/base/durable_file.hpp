// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Files that are whole or not there, whatever ends the process.
namespace tablemap::inline v0_1::detail {

/// True if there is something other than a file at `path`, such as a device, which must not be replaced by one.
bool is_no_file(std::string const& path);

/// The file at the end of the symbolic links at `path`, or `path` if there is none. What replaces it there leaves the
/// links as they are.
std::string behind_links(std::string const& path);

/// Writes a file under a name of its own beside `path`, then gives it its name.
///
/// \throws std::system_error with the path
void write_durably(std::string const& path, std::string_view text);

/// Waits until what was written to `from` is on the disk, then renames it to `to`. It gets the permissions of the file
/// that it replaces.
///
/// \throws std::system_error with the path
void rename_durably(std::string const& from, std::string const& to);

/// The same if there is no file `to`.
///
/// \throws std::system_error with the path; `std::errc::file_exists` if there is one
void name_durably(std::string const& from, std::string const& to);

}  // namespace tablemap::inline v0_1::detail
