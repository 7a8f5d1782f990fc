// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: a key value does not convert to its member's type without loss
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct customer_id {
    std::string text{};
};

template <> struct tablemap::converter<customer_id> {
    using stored = std::string;
    static stored to_property(customer_id const& c) { return c.text; }
    static customer_id from_property(stored const& text) { return {text}; }
};

struct order {
    customer_id customer{};
    std::int32_t number{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::number>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::customer>);
};

void use(tablemap::table<order> const& orders) {
#ifdef TABLEMAP_REJECT
    (void)orders.find(1, "a");
#else
    (void)orders.find(1, customer_id{"a"});
#endif
}

int main() {}
