// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: the converter of this part's type does not keep the order of values
// expect: order::customer
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
    (void)orders.query(tablemap::partition(1), tablemap::row_range(customer_id{"a"}, customer_id{"b"}));
#else
    (void)orders.query(tablemap::partition(1), tablemap::starting_with("a"));
#endif
}

int main() {}
