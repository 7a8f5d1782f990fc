// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M13]: this mapping has a part whose name is nearly versions, copies or unknown_columns, and would be ignored
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
    std::int32_t amount{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key("id_", tablemap::part<&order::id>);
    static constexpr auto discriminator = tablemap::discriminator("Type", "order");
#ifdef TABLEMAP_REJECT
    static constexpr auto version = tablemap::versions<1>();
#else
    static constexpr auto versions = tablemap::versions<1>();
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
