// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: names in JSON are text; use a map whose keys are std::string, or a std::vector of structs
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <map>
#include <string>

struct order {
#ifdef TABLEMAP_REJECT
    std::map<int, int> doc{};
#else
    std::map<std::string, int> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
