// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: the values of an enumeration must be of one enum
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };
enum class grade { first, second };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, grade::second>;
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>;
#endif

int main() {}
