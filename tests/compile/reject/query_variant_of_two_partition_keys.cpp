// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M10]: the types of this variant have different partition keys, so no one partition holds them; query each type for itself, or give them the same parts
#include <tablemap/table/table.hpp>

#include <string>
#include <variant>

struct order {
    std::string customer{};
    std::string id{};
};

struct invoice {
    std::string customer{};
    std::string id{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key("ORDER_", tablemap::part<&order::id>);
};

template <> struct tablemap::mapping<invoice> {
#ifdef TABLEMAP_REJECT
    static constexpr auto partition_key = tablemap::key("customer_", tablemap::part<&invoice::customer>);
#else
    static constexpr auto partition_key = tablemap::key(tablemap::part<&invoice::customer>);
#endif
    static constexpr auto row_key = tablemap::key("INVOICE_", tablemap::part<&invoice::id>);
};

void use(tablemap::table<std::variant<order, invoice>> const& papers) {
    static_cast<void>(papers.query(tablemap::partition("contoso")));
}

int main() {}
