// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M10]: the row key of one type of this variant begins like that of another, so it does not tell them apart; begin each with a literal of its own, or give each a discriminator property
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
    static constexpr auto row_key = tablemap::key("ORDER_", tablemap::part<&order::id>);
};

template <> struct tablemap::mapping<invoice> {
    static constexpr auto partition_key = tablemap::key("p");
#ifdef TABLEMAP_REJECT
    static constexpr auto row_key = tablemap::key("ORDER_I_", tablemap::part<&invoice::id>);
#else
    static constexpr auto row_key = tablemap::key("INVOICE_", tablemap::part<&invoice::id>);
#endif
};

using paper = std::variant<order, invoice>;

std::string const& name_of(tablemap::table<paper> const& t) { return t.name(); }

int main() {}
