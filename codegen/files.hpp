// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tablemap::codegen {

/// The whole of a file. Throws std::system_error, with the path and the system's reason.
std::string read_file(std::filesystem::path const& path);

/// Replaces a file whole: another process that reads it meanwhile sees the old one or the new one, and if this fails the old
/// one stays. Of a symbolic link the file that it names is replaced; what is no file, such as a pipe, is written into.
/// Throws std::system_error, with the path and the system's reason.
void write_file(std::filesystem::path const& path, std::string const& text);

/// True if both paths name one file, be it there already or not.
bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace tablemap::codegen
