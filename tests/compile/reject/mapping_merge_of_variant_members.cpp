// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W2]: only<...> names members of one type; merge through a table<employee> on the same table
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>
#include <variant>

struct order {
    std::string id{};
    std::int32_t price{};
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
    static constexpr auto row_key = tablemap::key("INVOICE_", tablemap::part<&invoice::id>);
};

using paper = std::variant<order, invoice>;

#ifdef TABLEMAP_REJECT
void use(tablemap::table<paper> const& papers, tablemap::entity<paper>& p) {
    papers.merge(p, tablemap::only<&order::price>);
}
#else
void use(tablemap::table<order> const& orders, tablemap::entity<order>& o) {
    orders.merge(o, tablemap::only<&order::price>);
}
#endif

int main() {}
