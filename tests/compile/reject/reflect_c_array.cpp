// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no C array as a member
// expect: use std::array, std::string or std::vector
// expect: account_with_c_array
#include <tablemap/detail/reflect/fields.hpp>

#include <array>
#include <string>

struct account {
    std::string owner{};
    std::array<int, 3> limits{};
};

static_assert(tablemap::detail::field_count<account> == 2);

#ifdef TABLEMAP_REJECT
struct account_with_c_array {
    std::string owner{};
    std::string aliases[2]{};
};

inline constexpr auto count = tablemap::detail::field_count<account_with_c_array>;
#endif

int main() {}
