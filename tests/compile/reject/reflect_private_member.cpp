// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped type must be an aggregate
// expect: without private members, constructors and virtual functions
// expect: account_with_private_member
#include <tablemap/detail/reflect/fields.hpp>

#include <string>

struct account {
    std::string owner{};
    int balance{};
};

static_assert(tablemap::detail::field_count<account> == 2);

#ifdef TABLEMAP_REJECT
class account_with_private_member {
public:
    std::string owner{};

private:
    [[maybe_unused]] int balance{};
};

inline constexpr auto count = tablemap::detail::field_count<account_with_private_member>;
#endif

int main() {}
