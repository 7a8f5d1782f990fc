// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is not flattened(), so its own members are no properties
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct period {
    std::int32_t days{};
};

struct address {
    std::string city{};
};

struct order {
    std::string id{};
    period delivery{};
    address home{};
};

/// Stored as one property, not as one for each member.
template <> struct tablemap::converter<period> {
    using stored = std::int32_t;
    static std::int32_t to_property(period const& p) { return p.days; }
    static tablemap::result<period> from_property(std::int32_t days) { return period{days}; }
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
    static constexpr auto members = tablemap::members(tablemap::member<&order::home>.flattened());
};

void use(tablemap::table<order> const& orders) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(orders.scan(tablemap::field<&order::delivery, &period::days> == 3));
#else
    static_cast<void>(orders.scan(tablemap::field<&order::home, &address::city> == "Paris"));
#endif
}

int main() {}
