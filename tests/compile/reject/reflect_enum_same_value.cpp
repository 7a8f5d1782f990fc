// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: two enumerators of this list have the same number
// expect-gcc: level::junior
// expect-clang: level::junior
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior, young = 0 };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::young>;
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::senior>;
#endif

int main() {}
