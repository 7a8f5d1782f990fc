// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: BOOST_HANA_ADAPT_STRUCT and BOOST_HANA_DEFINE_STRUCT must list data members
// expect: take functions, static members and accessors out of the list
// expect: account_with_function
#include <tablemap/adapted.hpp>
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    account() {}

    std::string owner{};
};

BOOST_HANA_ADAPT_STRUCT(account, owner);

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_with_function {
    account_with_function() {}
    std::string owner() const { return {}; }
};

BOOST_HANA_ADAPT_STRUCT(account_with_function, owner);

inline constexpr auto count = tablemap::detail::field_count<account_with_function>;
#endif

int main() {}
