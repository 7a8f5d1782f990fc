// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this enum is stored by name, so the service would compare names, not values; compare with == or !=, or declare it by_number
// expect: employee::rank
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

enum class level { junior, senior };

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_name<level::junior, level::senior>;

struct employee {
    std::string department{};
    std::int32_t id{};
    level rank{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::rank> >= level::senior);
#else
    (void)(tablemap::field<&employee::rank> == level::senior);
#endif
}

int main() {}
