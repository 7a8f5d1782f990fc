// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: a converter needs `static T from_property(stored const&)`, or one that returns tablemap::result<T>; the type it returns must be exactly that
// expect-gcc: order::total
// expect-clang: &order::total
#include <tablemap/edm/converter.hpp>

#include <cstdint>

struct money {
    std::int64_t cents{};
};

template <> struct tablemap::converter<money> {
#ifdef TABLEMAP_REJECT
    using stored = std::int64_t;
    static stored to_property(money const& m) { return m.cents; }
#else
    using stored = std::int64_t;
    static stored to_property(money const& m) { return m.cents; }
    static money from_property(stored const& v) { return {v}; }
#endif
};

struct order {
    money total{};
};

static_assert(tablemap::detail::check_converter<money, &order::total>());

int main() {}
