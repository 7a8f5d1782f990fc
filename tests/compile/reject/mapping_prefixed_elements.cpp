// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: the values of a prefixed() map must each be one property, which is there or not; use .as_json()
// expect-gcc: order::tags
// expect-clang: .value.tags
#include <tablemap/table/table.hpp>

#include <map>
#include <optional>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::map<std::string, std::optional<int>> tags{};
#else
    std::map<std::string, int> tags{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::tags>.prefixed());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
