// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace tablemap::test {

/// An empty folder for the time of a test.
class temp_folder {
public:
    temp_folder() {
        auto pattern = (std::filesystem::temp_directory_path() / "tablemap-XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error{"no temporary folder can be made"};
        path_ = pattern;
    }
    ~temp_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temp_folder(temp_folder const&) = delete;
    temp_folder& operator=(temp_folder const&) = delete;

    std::filesystem::path const& path() const noexcept { return path_; }
    std::string file(char const* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

}  // namespace tablemap::test
