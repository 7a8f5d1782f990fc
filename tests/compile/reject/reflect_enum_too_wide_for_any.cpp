// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: by_number<> takes any number, but Edm.Int64 does not hold all of 64 unsigned bits
// expect-gcc: E = level]
// expect-clang: check_enumeration<level>
#include <tablemap/reflect/enumeration.hpp>

#include <cstdint>

enum class level : std::uint64_t { junior };

#ifdef TABLEMAP_REJECT
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<>;

static_assert(tablemap::detail::check_enumeration<level>());
#else
template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior>;

static_assert(tablemap::detail::check_enumeration<level>());
#endif

int main() {}
