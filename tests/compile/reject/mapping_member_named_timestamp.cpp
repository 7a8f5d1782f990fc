// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: PartitionKey, RowKey and Timestamp belong to the service; name this member otherwise, with member<&T::m>.named
// expect-gcc: order::Timestamp
// expect-clang: .value.Timestamp
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    tablemap::ticks Timestamp = tablemap::ticks::min();
#else
    tablemap::ticks timestamp = tablemap::ticks::min();
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
