// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: an adapted class must have a public default constructor
// expect: add the constructor, or map the concrete classes
// expect: account_without_default
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
struct account_without_default {
    explicit account_without_default(std::string name) : owner{name} {}

    std::string owner;
};

BOOST_HANA_ADAPT_STRUCT(account_without_default, owner);

inline constexpr auto count = tablemap::detail::field_count<account_without_default>;
#endif

int main() {}
