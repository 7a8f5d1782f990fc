// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: named<value> renames an enumerator of the list
// expect-gcc: Value = level::senior
// expect-clang: named<level::senior>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
template <>
inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior>.named<level::senior>("Sr");
#else
template <>
inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior>.named<level::junior>("Jr");
#endif

int main() {}
