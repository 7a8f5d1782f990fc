// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a mapped struct must have no bit-field as a member
// expect: flags_with_bit_field
#include <tablemap/detail/reflect/fields.hpp>

#include <cstdint>

struct flags {
    std::uint8_t level{};
};

static_assert(tablemap::detail::field_name<flags, 0> == "level");

#ifdef TABLEMAP_REJECT
struct flags_with_bit_field {
    std::uint8_t level : 3;
};

static_assert(tablemap::detail::field_name<flags_with_bit_field, 0> == "level");
#endif

int main() {}
