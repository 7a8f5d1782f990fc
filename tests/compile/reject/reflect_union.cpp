// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M1]: a union cannot be mapped
// expect: use a struct with std::optional members
// expect: amount_or_note
#include <tablemap/detail/reflect/fields.hpp>

#include <optional>

struct amounts {
    std::optional<int> cents{};
    std::optional<double> rate{};
};

static_assert(tablemap::detail::field_count<amounts> == 2);

#ifdef TABLEMAP_REJECT
union amount_or_note {
    int cents;
    double rate;
};

inline constexpr auto count = tablemap::detail::field_count<amount_or_note>;
#endif

int main() {}
