// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares
// expect: address::city
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct address {
    std::string city{};
};

struct person {
    std::string name{};
    address home{};
};

static_assert(tablemap::detail::member_index<&person::home, person> == 1);

#ifdef TABLEMAP_REJECT
static_assert(tablemap::detail::member_index<&address::city, person> == 0);
#endif

int main() {}
