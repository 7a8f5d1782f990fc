// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q3]: a value of a filter must be text, bool, std::int32_t, std::int64_t, double, ticks
// expect: convert it to the type that the property is stored as
// expect: a system_clock time of whole ticks
#include <tablemap/filter/raw.hpp>

#include <chrono>

tablemap::raw_filter chosen(std::chrono::sys_time<std::chrono::nanoseconds> time) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter("Due lt {}", time);
#else
    return tablemap::raw_filter("Due lt {}", tablemap::ticks{time});
#endif
}
