// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: numbers in JSON are read as doubles, so float and long double would not read back; use double
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <vector>

struct order {
#ifdef TABLEMAP_REJECT
    std::vector<float> doc{};
#else
    std::vector<double> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
