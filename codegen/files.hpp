// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tablemap::codegen {

/// The whole content of a file. Throws std::system_error, with the path and the system's reason.
std::string read_file(std::filesystem::path const& path);

/// Replaces a file as a whole: another process that reads it meanwhile sees the old one or the new one, and after a
/// failure the old one remains. Of a symbolic link the target is replaced; a pipe or device is written into. Throws
/// std::system_error, with the path and the system's reason.
void write_file(std::filesystem::path const& path, std::string const& text);

/// True if both paths name one file, which need not exist.
bool is_same_file(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace tablemap::codegen
