// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace tablemap::test {

inline std::string read_text(std::filesystem::path const& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) throw std::runtime_error{"cannot read " + path.string()};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// The schemas in a folder of tests/codegen.
inline std::vector<std::filesystem::path> schemas_in(std::string const& folder) {
    std::vector<std::filesystem::path> found;
    for (auto const& entry : std::filesystem::directory_iterator{TABLEMAP_CODEGEN_CASES "/" + folder})
        if (entry.path().extension() == ".json") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace tablemap::test
