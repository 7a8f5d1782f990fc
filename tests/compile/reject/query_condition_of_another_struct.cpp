// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this condition is over another struct than the table holds; name members of the table's own type
// expect-gcc: condition<project>
// expect-clang: condition<project>
#include <tablemap/query/field.hpp>

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

struct project {
    std::string name{};
    std::int32_t cost{};
};

template <> struct tablemap::mapping<project> {
    static constexpr auto partition_key = tablemap::key("projects");
    static constexpr auto row_key = tablemap::key(tablemap::part<&project::name>);
};

void use() {
#ifdef TABLEMAP_REJECT
    static_assert(tablemap::detail::check_condition<employee, decltype(tablemap::field<&project::cost> > 3)>());
#else
    static_assert(tablemap::detail::check_condition<employee, decltype(tablemap::field<&employee::age> > 3)>());
#endif
}

int main() {}
