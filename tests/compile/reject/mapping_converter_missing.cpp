// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: this type has no converter; specialise tablemap::converter<T>
// expect-gcc: order::total
// expect-clang: &order::total
#include <tablemap/mapping/converters/duration.hpp>

#include <chrono>

struct money {
    int cents{};
};

struct order {
#ifdef TABLEMAP_REJECT
    money total{};
#else
    std::chrono::seconds total{};
#endif
};

static_assert(tablemap::detail::check_converter<decltype(order::total), &order::total>());

int main() {}
