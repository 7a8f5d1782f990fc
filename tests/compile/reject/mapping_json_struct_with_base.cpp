// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no base class
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

struct base {
    int a{};
};
struct with_base : base {
    int b{};
};
struct plain {
    base a{};
    int b{};
};

struct order {
#ifdef TABLEMAP_REJECT
    with_base doc{};
#else
    plain doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
