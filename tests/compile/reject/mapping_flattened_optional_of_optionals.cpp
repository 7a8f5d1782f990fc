// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: an optional struct of members that may all be absent could not be told from an empty one; give it a member that is no optional, or store it with .as_json()
// expect-gcc: order::home
// expect-clang: .value.home
#include <tablemap/table/table.hpp>

#include <optional>
#include <string>

struct address {
#ifdef TABLEMAP_REJECT
    std::optional<std::string> city{};
#else
    std::string city{};
#endif
    std::optional<std::string> zip{};
};

struct order {
    std::string id{};
    std::optional<address> home{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
