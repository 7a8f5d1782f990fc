// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: JSON cannot hold this type; use bool, an integer, double, std::string,
// expect: include its header from tablemap/mapping/converters
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <set>

struct order {
#ifdef TABLEMAP_REJECT
    std::multiset<int> doc{};
#else
    std::set<int> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
