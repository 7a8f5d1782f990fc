// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: durations are stored in units of 100 ns, which this period is no multiple of; use tablemap::tick_duration or std::chrono::microseconds
// expect-gcc: order::total
// expect-clang: &order::total
#include <tablemap/mapping/converters/duration.hpp>

#include <chrono>

struct order {
#ifdef TABLEMAP_REJECT
    std::chrono::nanoseconds total{};
#else
    std::chrono::microseconds total{};
#endif
};

static_assert(tablemap::detail::check_converter<decltype(order::total), &order::total>());

int main() {}
