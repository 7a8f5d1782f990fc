// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no base class
// expect: make the base a member, or repeat its members, or list all members with BOOST_HANA_ADAPT_STRUCT
// expect: account_with_base
#include <tablemap/detail/reflect/fields.hpp>

#include <any>
#include <string>

struct audit {
    std::string changed_by{};
};

struct account {
    std::any takes_every_argument{};
    audit as_member{};
};

static_assert(tablemap::detail::field_count<account> == 2);

#ifdef TABLEMAP_REJECT
struct account_with_base : audit {
    std::string owner{};
};

inline constexpr auto count = tablemap::detail::field_count<account_with_base>;
#endif

int main() {}
