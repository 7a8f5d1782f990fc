// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this is no condition; compare members: field<&T::m> == value, joined by &&, || and !
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

void use() {
#ifdef TABLEMAP_REJECT
    static_assert(tablemap::detail::check_condition<employee, bool>());
#else
    static_assert(tablemap::detail::check_condition<employee, decltype(tablemap::field<&employee::age> > 3)>());
#endif
}

int main() {}
