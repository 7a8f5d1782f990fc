// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a std::string_view would outlive the text it was read from; use std::string
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <string>
#include <string_view>
#include <vector>

struct order {
#ifdef TABLEMAP_REJECT
    std::vector<std::string_view> doc{};
#else
    std::vector<std::string> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
