// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: an element of a series is one property: a number, text, a time, an enum with an enumeration
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    enum class size { small, large };
    tablemap::series<size, 7> sizes{};
#else
    tablemap::series<std::int32_t, 7> sizes{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
