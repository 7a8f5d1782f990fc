// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M7]: a computed property's function takes the entity and returns a value that a member could have, such as std::string or std::optional<std::int32_t>
// expect-gcc: computed_property<order, 0>
// expect-clang: check_rule<order, 0
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
#ifdef TABLEMAP_REJECT
    static constexpr auto members = tablemap::members(tablemap::computed("Total", [](order const&) { return "text"; }));
#else
    static constexpr auto members =
        tablemap::members(tablemap::computed("Total", [](order const& o) { return o.price; }));
#endif
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
