// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[W4]: replace and merge refresh the etag of an entity<T>
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

void use(tablemap::table<employee> const& employees, tablemap::entity<employee>& e, tablemap::entity<device>& d) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(e);
    employees.replace(d);
#else
    employees.replace(e);
    static_cast<void>(d);
#endif
}

int main() {}
