// SPDX-License-Identifier: Apache-2.0
#include "command/temporary_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <unistd.h>

namespace tablemap::inline v0_1::command {

temporary_file::temporary_file() {
    auto path = (std::filesystem::temp_directory_path() / "tablemap-XXXXXX").string();
    int const descriptor = mkstemp(path.data());
    if (descriptor < 0) throw std::system_error{errno, std::generic_category(), "cannot make a temporary file"};
    close(descriptor);
    file_.open(path, std::ios::in | std::ios::out | std::ios::binary);
    unlink(path.c_str());
    if (!file_) throw std::runtime_error{"cannot open the temporary file " + path};
}

std::iostream& temporary_file::rewind() {
    file_.flush();
    if (!file_)
        throw std::runtime_error{"cannot write to a temporary file; is there room in the folder that TMPDIR names?"};
    file_.seekg(0);
    return file_;
}

}  // namespace tablemap::inline v0_1::command
