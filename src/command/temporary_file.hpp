// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>

namespace tablemap::inline v0_1::command {

/// A file without a name, which ends with the process.
class temporary_file {
public:
    /// \throws std::system_error if none can be made
    temporary_file();

    std::iostream& stream() noexcept { return file_; }

    /// Goes back to the beginning, to read what was written.
    ///
    /// \throws std::runtime_error if not all of it could be written
    std::iostream& rewind();

private:
    std::fstream file_{};
};

}  // namespace tablemap::inline v0_1::command
