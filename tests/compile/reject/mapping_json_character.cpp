// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a character is neither text nor number in JSON; use std::string or std::int32_t
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <array>
#include <cstdint>

struct order {
#ifdef TABLEMAP_REJECT
    std::array<char, 8> doc{};
#else
    std::array<std::int32_t, 8> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
