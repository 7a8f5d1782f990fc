// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: an enum must say how it is stored
// expect-gcc: E = level]
// expect-clang: check_enumeration<level>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
static_assert(tablemap::detail::check_enumeration<level>());
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<>;

static_assert(tablemap::detail::check_enumeration<level>());
#endif

int main() {}
