// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P13]: keys are linted of one mapped struct
#include <tablemap/mapping/variant.hpp>
#include <tablemap/patterns/hot_partitions.hpp>

#include <cstdint>
#include <string>
#include <variant>

struct sign_in {
    std::string user{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<sign_in> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&sign_in::user>);
    static constexpr auto row_key = tablemap::key("in_", tablemap::part<&sign_in::number>);
};

#ifdef TABLEMAP_REJECT
constexpr auto found = tablemap::lint_keys<std::variant<sign_in>>();
#else
constexpr auto found = tablemap::lint_keys<sign_in>();
#endif

int main() { return static_cast<int>(found.size()); }
