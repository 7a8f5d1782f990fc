// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P10]: a series is a member by itself, and its elements may be absent as they are; say series<T, N> for an optional one, and series<encrypted<T>, N> for an encrypted one
// expect-gcc: order::sizes
// expect-clang: .value.sizes
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <optional>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::optional<tablemap::series<std::int32_t, 7>> sizes{};
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
