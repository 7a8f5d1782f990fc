// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: by_number<> takes any number, but this enum holds only those between its enumerators; give it an underlying type: enum E : int
#include <tablemap/reflect/enumeration.hpp>

#ifdef TABLEMAP_REJECT
enum level { junior, senior };
#else
enum level : int { junior, senior };
#endif

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<>;

static_assert(tablemap::detail::check_enumeration<level>());

int main() {}
