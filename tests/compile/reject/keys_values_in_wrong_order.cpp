// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: a key value does not convert to its member's type without loss
// expect-gcc: Argument = int]
// expect-clang: check_key_argument<std::basic_string<char>, int>
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
    double price{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>.width(6));
};

void use(tablemap::table<order>& orders) {
#ifdef TABLEMAP_REJECT
    orders.find(1, "contoso");
#else
    orders.find("contoso", 1);
#endif
}

int main() {}
