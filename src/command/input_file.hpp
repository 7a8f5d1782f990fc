// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "command/row_source.hpp"

#include <cstddef>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::command {

/// A file of rows, or the standard input.
class input_file {
public:
    /// \throws usage_error if it cannot be opened, or its format is not known
    input_file(std::string name, std::optional<row_format> format);

    /// Its rows from the beginning. Called once.
    ///
    /// \throws file_fault as `read_csv`
    std::unique_ptr<row_source> rows(key_names keys);

    /// Nothing for what is no regular file.
    std::optional<std::size_t> size() const noexcept { return size_; }

private:
    std::string name_;
    row_format format_{};
    std::ifstream file_{};
    std::optional<std::size_t> size_{};
};

}  // namespace tablemap::inline v0_1::command
