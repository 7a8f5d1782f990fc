// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares
// expect: and no member function
// expect: person::full_name
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct person {
    std::string name{};

    std::string full_name() const { return name; }
};

static_assert(tablemap::detail::member_index<&person::name> == 0);

#ifdef TABLEMAP_REJECT
static_assert(tablemap::detail::member_index<&person::full_name> == 0);
#endif

int main() {}
