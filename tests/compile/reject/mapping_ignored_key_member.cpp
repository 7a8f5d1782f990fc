// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K4]: this member is stored in the key alone, so no rule of members() applies to it; remove the rule
// expect-gcc: order::id
// expect-clang: .value.id
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    std::string remark{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::member<&order::id>.ignored());
#else
    static constexpr auto members = tablemap::members(tablemap::member<&order::remark>.ignored());
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
