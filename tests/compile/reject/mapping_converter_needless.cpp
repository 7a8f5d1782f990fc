// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: this type is a property type of its own; convert a type of yours that wraps it
// expect-gcc: order::total
// expect-clang: &order::total
#include <tablemap/edm/converter.hpp>

#include <string>

struct wrapped {
    std::string text{};
};

#ifdef TABLEMAP_REJECT
using converted = std::string;
#else
using converted = wrapped;
#endif

template <> struct tablemap::converter<converted> {
    using stored = std::string;
    static stored to_property(converted const&) { return {}; }
    static converted from_property(stored const&) { return {}; }
};

struct order {
    converted total{};
};

static_assert(tablemap::detail::check_converter<converted, &order::total>());

int main() {}
