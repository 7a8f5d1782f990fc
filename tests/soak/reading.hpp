// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/tablemap.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

/// The rows of the soak programs, and how they watch their memory.
struct reading {
    std::string station{};
    std::int32_t number{};
    double celsius{};
    std::string note{};
};

template <> struct tablemap::mapping<reading> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&reading::station>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&reading::number>.width(8));
};

inline constexpr std::size_t growth_limit = 10'240;  // KiB

/// A number of KiB from /proc/self/status. The peak of getrusage will not do: it begins with that of the parent
/// process.
inline std::size_t memory(std::string_view what) {
    std::ifstream status{"/proc/self/status"};
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(what)) return std::stoul(line.substr(what.size()));
    throw std::runtime_error{"/proc/self/status has no line " + std::string{what}};
}
inline std::size_t peak() { return memory("VmHWM:"); }

/// The growth of the peak in KiB. The kernel counts the pages of each thread apart for a while, so that the peak may
/// also be told a little lower than before.
inline std::size_t growth_since(std::size_t before) { return std::max(peak(), before) - before; }
