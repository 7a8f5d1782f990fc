// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K7]: find_many(...) takes one list of keys
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

void use(tablemap::table<employee> const& employees) {
#ifdef TABLEMAP_REJECT
    static_cast<void>(employees.find_many({"Sales", 1}, {"Sales", 2}));
#else
    static_cast<void>(employees.find_many({{"Sales", 1}, {"Sales", 2}}));
#endif
}

int main() {}
