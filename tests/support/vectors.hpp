// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tablemap::test {

/// The content of a file in tests/vectors, where TABLEMAP_TEST_VECTORS is that folder.
inline std::string read_vectors(std::string const& name) {
    std::ifstream file{TABLEMAP_TEST_VECTORS "/" + name, std::ios::binary};
    if (!file) throw std::runtime_error{"tests/vectors has no file " + name};
    return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace tablemap::test
