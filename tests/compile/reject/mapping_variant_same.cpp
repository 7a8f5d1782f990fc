// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M10]: two types of this variant have one discriminator, or one is a version of the other; give each its own
// expect-gcc: {order, invoice}
// expect-clang: <order, invoice>
#include <tablemap/table/table.hpp>

#include <string>
#include <variant>

struct order {
    std::string id{};
};

struct invoice {
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("p");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
};

template <> struct tablemap::mapping<invoice> {
    static constexpr auto partition_key = tablemap::key("p");
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key(tablemap::part<&invoice::id>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "order");
#else
    static constexpr auto row_key = tablemap::key(tablemap::part<&invoice::id>);
    static constexpr auto discriminator = tablemap::discriminator("Kind", "orders");
#endif
};

using paper = std::variant<order, invoice>;

std::string const& name_of(tablemap::table<paper> const& t) { return t.name(); }

int main() {}
