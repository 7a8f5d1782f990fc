// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: two enumerators have the same stored name
// expect-gcc: E = level]
// expect-clang: check_enumeration<level>
#include <tablemap/reflect/enumeration.hpp>

enum class level { junior, senior };

#ifdef TABLEMAP_REJECT
template <>
inline constexpr auto
    tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>.named<level::junior>("senior");

static_assert(tablemap::detail::check_enumeration<level>());
#else
template <>
inline constexpr auto
    tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>.named<level::junior>("Jr");

static_assert(tablemap::detail::check_enumeration<level>());
#endif

int main() {}
