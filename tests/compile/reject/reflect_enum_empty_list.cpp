// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: by_name needs the enumerators
// expect-gcc: Values = {}
// expect-clang: make_name_list<>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<>;
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior>;
#endif

int main() {}
