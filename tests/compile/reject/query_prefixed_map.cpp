// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is prefixed(), one property for each entry; name the one to compare: entry<&T::tags>
// expect: employee::tags
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
    (void)(tablemap::field<&employee::tags> == "x");
#else
    (void)(tablemap::entry<&employee::tags>("k") == "x");
#endif
}

int main() {}
