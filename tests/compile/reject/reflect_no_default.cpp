// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must be constructible from {}
// expect: member without default constructor
// expect: account_without_initialiser
#include <tablemap/detail/reflect/fields.hpp>

struct amount {
    explicit amount(int cents) : cents_{cents} {}
    int cents_;
};

struct account {
    amount balance{0};
};

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_without_initialiser {
    amount balance;
};

inline constexpr auto count = tablemap::detail::field_count<account_without_initialiser>;
#endif

int main() {}
