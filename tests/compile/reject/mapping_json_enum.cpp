// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: an enum must say how it is stored;
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

enum class state { open, shipped };
enum class level { junior, senior };

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>;

struct order {
#ifdef TABLEMAP_REJECT
    state doc{};
#else
    level doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
