// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q3]: a value of a filter must be text, bool, std::int32_t, std::int64_t, double, ticks
// expect: convert it to the type that the property is stored as
// expect-gcc: V = unsigned int
// expect-clang: filter_value<unsigned int>
#include <tablemap/filter/raw.hpp>

#include <cstdint>

tablemap::raw_filter chosen(unsigned age) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter("Age ge {}", age);
#else
    return tablemap::raw_filter("Age ge {}", static_cast<std::int32_t>(age));
#endif
}
