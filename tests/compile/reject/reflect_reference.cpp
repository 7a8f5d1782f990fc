// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must be constructible from {}
// expect: hold a value, or give the member a default initialiser
// expect: account_with_reference
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    std::string owner{};
};

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_with_reference {
    std::string& owner;
};

inline constexpr auto count = tablemap::detail::field_count<account_with_reference>;
#endif

int main() {}
