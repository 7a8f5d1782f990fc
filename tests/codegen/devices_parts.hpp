// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tablemap/tablemap.hpp>

#include <cstdint>

/// The parts of the program that the schema devices.json names.
namespace inventory {

struct device;

class money {
public:
    constexpr explicit money(std::int64_t cents = 0) : cents_(cents) {}
    constexpr std::int64_t cents() const { return cents_; }

private:
    std::int64_t cents_;
};

inline void split_title(tablemap::dynamic_entity& row) {
    if (auto const* title = row.try_get<std::string>("title")) {
        auto const space = title->find(' ');
        auto const maker = title->substr(0, space);
        auto const model = title->substr(space + 1);
        row.set("maker", maker);
        row.set("model", model);
        row.erase("title");
    }
}

inline void add_kind(tablemap::dynamic_entity& row) { row.set("kind", "roller"); }

bool is_dear(device const& d);

}  // namespace inventory

template <> struct tablemap::converter<inventory::money> {
    using stored = std::int64_t;
    static stored to_property(inventory::money const& m) { return m.cents(); }
    static inventory::money from_property(stored const& cents) { return inventory::money{cents}; }
};
