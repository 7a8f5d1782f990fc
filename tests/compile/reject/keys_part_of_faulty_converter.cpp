// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M5]: a converter needs `static T from_property(stored const&)`
// expect: order::customer
#include <tablemap/table/table.hpp>

#include <string>

struct customer_id {
    std::string text{};
};

template <> struct tablemap::converter<customer_id> {
    using stored = std::string;
    static stored to_property(customer_id const& c) { return c.text; }
#ifndef TABLEMAP_REJECT
    static customer_id from_property(stored const& text) { return {text}; }
#endif
};

struct order {
    customer_id customer{};
    std::string number{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&order::customer>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::number>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
