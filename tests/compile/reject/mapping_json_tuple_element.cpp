// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a character is neither text nor number in JSON; use std::string or std::int32_t
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <string>
#include <utility>
#include <variant>

struct order {
#ifdef TABLEMAP_REJECT
    std::pair<int, std::variant<int, char>> doc{};
#else
    std::pair<int, std::variant<int, std::string>> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
