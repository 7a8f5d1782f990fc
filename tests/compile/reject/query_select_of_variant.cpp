// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q4]: only members of one mapped struct can be selected; query a table of that struct
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

#ifdef TABLEMAP_REJECT
using paper = std::variant<order, invoice>;
#else
using paper = order;
#endif

void use(tablemap::table<paper> const& papers) {
    static_cast<void>(papers.query(tablemap::partition()).select<&order::price>());
}

int main() {}
