// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped type must be an aggregate
// expect: account_with_virtual_function
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    std::string owner{};

    void close() {}
};

static_assert(tablemap::detail::field_count<account> == 1);

#ifdef TABLEMAP_REJECT
struct account_with_virtual_function {
    std::string owner{};

    virtual void close() {}
};

inline constexpr auto count = tablemap::detail::field_count<account_with_virtual_function>;
#endif

int main() {}
