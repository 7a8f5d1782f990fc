// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M2]: this pointer must point to a data member that the mapped struct itself declares, or lists
// expect: account_with_note::note
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
struct account_with_note {
    account_with_note() {}

    std::string owner{};
    std::string note{};
};

BOOST_HANA_ADAPT_STRUCT(account_with_note, owner);

inline constexpr auto index = tablemap::detail::member_index<&account_with_note::note>;
#endif

int main() {}
