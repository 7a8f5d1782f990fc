// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this type's converter does not keep the order of values; compare with == or !=
// expect: employee::share
#include <tablemap/mapping/converters/decimal.hpp>
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    tablemap::decimal share{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::share> < tablemap::decimal{});
#else
    (void)(tablemap::field<&employee::share> == tablemap::decimal{});
#endif
}

int main() {}
