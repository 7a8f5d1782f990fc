// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: say how a map is stored: member<&T::m>.prefixed(), one property for each entry, or .as_json()
// expect-gcc: order::tags
// expect-clang: .value.tags
#include <tablemap/table/table.hpp>

#include <map>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::map<std::string, int> tags{};
#else
    int tags{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
