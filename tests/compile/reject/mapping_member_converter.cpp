// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: a converter's `stored` is one of std::string, bool, std::int32_t, std::int64_t, double, tablemap::ticks, tablemap::guid and tablemap::bytes
// expect-gcc: order::price
// expect-clang: .value.price
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct money {
    std::int64_t cents{};
};

template <> struct tablemap::converter<money> {
#ifdef TABLEMAP_REJECT
    using stored = float;
#else
    using stored = std::int64_t;
#endif
    static stored to_property(money m) { return static_cast<stored>(m.cents); }
    static money from_property(stored cents) { return {static_cast<std::int64_t>(cents)}; }
};

struct order {
    std::string id{};
    money price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
