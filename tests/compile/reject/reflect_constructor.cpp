// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped type must be an aggregate
// expect: list its members with BOOST_HANA_ADAPT_STRUCT and include <tablemap/adapted.hpp>
// expect: account_with_constructor
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    std::string owner{};
};

static_assert(tablemap::detail::field_name<account, 0> == "owner");

#ifdef TABLEMAP_REJECT
struct account_with_constructor {
    account_with_constructor() {}

    std::string owner{};
};

static_assert(tablemap::detail::field_name<account_with_constructor, 0> == "owner");
#endif

int main() {}
