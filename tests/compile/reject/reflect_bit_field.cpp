// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no bit-field as a member
// expect: flags_with_bit_field
#include <tablemap/detail/reflect/fields.hpp>

#include <cstdint>
#include <type_traits>

struct flags {
    std::uint8_t level{};
    bool locked{};
};

static_assert(std::is_same_v<tablemap::detail::field_type<flags, 0>, std::uint8_t>);

#ifdef TABLEMAP_REJECT
struct flags_with_bit_field {
    std::uint8_t level : 3;
    bool locked{};
};

static_assert(std::is_same_v<tablemap::detail::field_type<flags_with_bit_field, 0>, std::uint8_t>);
#endif

int main() {}
