// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: JSON cannot hold this type; use bool, an integer, double, std::string,
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <map>
#include <string>

struct order {
#ifdef TABLEMAP_REJECT
    std::multimap<std::string, int> doc{};
#else
    std::map<std::string, int> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
