// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: PartitionKey, RowKey and Timestamp belong to the service
// expect-gcc: added_by_the_mapping_of<order>
// expect-clang: check_columns<order>
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::computed("RowKey", [](order const&) { return 1; }));
#else
    static constexpr auto members = tablemap::members(tablemap::computed("row_key", [](order const&) { return 1; }));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
