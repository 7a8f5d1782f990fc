// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/mapping/mapping.hpp"

#include <cstdint>
#include <random>
#include <string>

/// The rows that the tests of access store.
namespace tablemap::test {

struct sale {
    std::string tenant{};
    std::int32_t number{};
    std::string article{};
};

inline std::string fresh_name(char const* stem) { return stem + std::to_string(std::random_device{}()); }

}  // namespace tablemap::test

template <> struct tablemap::mapping<tablemap::test::sale> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&tablemap::test::sale::tenant>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&tablemap::test::sale::number>.width(8));
};
