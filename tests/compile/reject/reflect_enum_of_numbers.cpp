// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: by_name and by_number list the values of an enum
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<0, 1>;
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::senior>;
#endif

static_assert(tablemap::detail::check_enumeration<level>());

int main() {}
