// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: the enumeration of an enum lists values of another enum
// expect-gcc: E = level]
// expect-clang: check_enumeration<level>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };
enum class other { one };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<other::one>;

static_assert(tablemap::detail::check_enumeration<level>());
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior>;

static_assert(tablemap::detail::check_enumeration<level>());
#endif

int main() {}
