// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must be move-assignable
// expect: which a const member
// expect: account_with_const_member
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    std::string owner{};
    static int const version = 2;
};

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_with_const_member {
    std::string owner{};
    int const version = 2;
};

inline constexpr auto count = tablemap::detail::field_count<account_with_const_member>;
#endif

int main() {}
