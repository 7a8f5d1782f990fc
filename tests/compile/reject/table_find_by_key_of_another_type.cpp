// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: this is the key of another type, a value or an entity
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

struct device {
    std::string id{};
};

template <> struct tablemap::mapping<device> {
    static constexpr auto partition_key = tablemap::key("devices");
    static constexpr auto row_key = tablemap::key(tablemap::part<&device::id>);
};

void use(tablemap::table<employee> const& employees, tablemap::key_of<device> const& key) {
#ifdef TABLEMAP_REJECT
    employees.find(key);
#else
    employees.find("Sales", 1);
    static_cast<void>(key);
#endif
}

int main() {}
