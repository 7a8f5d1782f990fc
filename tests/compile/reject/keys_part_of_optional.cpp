// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K2]: a part of a partition key or row key always has a value
// expect: order::branch
// expect: optional
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct order {
    std::string customer{};
    std::string number{};
    std::optional<std::string> branch{};
};

template <> struct tablemap::mapping<order> {
#ifdef TABLEMAP_REJECT
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::branch>);
#else
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
#endif
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
