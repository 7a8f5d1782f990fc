// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: this enumerator is greater than Edm.Int64 can hold; give it a smaller number
#include <tablemap/reflect/enumeration.hpp>

#include <cstdint>

#ifdef TABLEMAP_REJECT
enum class level : std::uint64_t { junior, senior = 0x8000000000000000 };
#else
enum class level : std::uint64_t { junior, senior = 0x7FFFFFFFFFFFFFFF };
#endif

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>;

static_assert(tablemap::detail::check_enumeration<level>());

int main() {}
