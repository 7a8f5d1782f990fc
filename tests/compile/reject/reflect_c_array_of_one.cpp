// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no C array as a member
// expect: account_with_c_array
#include <tablemap/detail/reflect/fields.hpp>

#include <array>
#include <string>
#include <type_traits>

struct account {
    std::string owner{};
    std::array<int, 1> limits{};
};

static_assert(std::is_same_v<tablemap::detail::field_type<account, 1>, std::array<int, 1>>);

#ifdef TABLEMAP_REJECT
struct account_with_c_array {
    std::string owner{};
    int limits[1]{};
};

using bad = tablemap::detail::field_type<account_with_c_array, 1>;
#endif

int main() {}
