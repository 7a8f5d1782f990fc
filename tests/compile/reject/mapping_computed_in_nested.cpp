// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: computed(...) stands in the mapping of the struct that a table holds; move it there
// expect: address
#include <tablemap/table/table.hpp>

#include <string>

struct address {
    std::string city{};
};

template <> struct tablemap::mapping<address> {
#ifdef TABLEMAP_REJECT
    static constexpr auto members =
        tablemap::members(tablemap::computed("Upper", [](address const& a) { return a.city; }));
#else
    static constexpr auto members = tablemap::members(tablemap::member<&address::city>.named("City"));
#endif
};

struct order {
    std::string id{};
    address home{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened());
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
