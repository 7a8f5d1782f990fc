// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: entry<...> is for a prefixed() map
// expect: employee::age
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <map>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    std::map<std::string, std::string> tags{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
    static constexpr auto members = tablemap::members(tablemap::member<&employee::tags>.prefixed());
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::entry<&employee::age>("k") == 3);
#else
    (void)(tablemap::entry<&employee::tags>("k") == "x");
#endif
}

int main() {}
