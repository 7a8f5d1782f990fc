// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: a duration that counts in floating point would not read back; use one that counts in integers, such as std::chrono::milliseconds
// expect-gcc: order::total
// expect-clang: &order::total
#include <tablemap/mapping/converters/duration.hpp>

#include <chrono>

struct order {
#ifdef TABLEMAP_REJECT
    std::chrono::duration<double> total{};
#else
    std::chrono::seconds total{};
#endif
};

static_assert(tablemap::detail::check_converter<decltype(order::total), &order::total>());

int main() {}
