// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: this value has no enumerator
// expect-gcc: Value = (level)7
// expect-clang: check_enumerator<(level)7>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level{7}>;
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>;
#endif

int main() {}
