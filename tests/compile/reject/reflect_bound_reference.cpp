// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must be move-assignable
// expect: hold a plain value that can be assigned
// expect: account_with_reference
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

inline std::string nobody{};

struct account {
    std::string owner = nobody;
};

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_with_reference {
    std::string& owner = nobody;
};

inline constexpr auto count = tablemap::detail::field_count<account_with_reference>;
#endif

int main() {}
