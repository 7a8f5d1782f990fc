// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: numbers in JSON are read as doubles, so float and long double would not read back; use double
// expect-gcc: ::price
// expect-clang: .value.price
#include <tablemap/detail/mapping/json.hpp>

#include <string>
#include <vector>

template <class Number> struct line {
    std::string name{};
    Number price{};
    std::vector<line> parts{};
};

struct order {
#ifdef TABLEMAP_REJECT
    std::vector<line<float>> doc{};
#else
    std::vector<line<double>> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
