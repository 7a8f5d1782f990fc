// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q3]: a value of a filter must be text, bool, std::int32_t, std::int64_t, double, ticks
// expect: convert it to the type that the property is stored as
// expect-gcc: V = float
// expect-clang: filter_value<float>
#include <tablemap/filter/raw.hpp>

tablemap::raw_filter chosen(float weight) {
#ifdef TABLEMAP_REJECT
    return tablemap::raw_filter("Weight ge {}", weight);
#else
    return tablemap::raw_filter("Weight ge {}", double{weight});
#endif
}
