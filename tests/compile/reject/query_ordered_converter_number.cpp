// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this type's converter does not keep the order of values; compare with == or !=
// expect: employee::share
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct ticket {
    std::int64_t number{};
};

template <> struct tablemap::converter<ticket> {
    using stored = std::int64_t;
    static constexpr bool keeps_order = false;
    static stored to_property(ticket const& t) { return -t.number; }
    static ticket from_property(stored const& number) { return {-number}; }
};

struct employee {
    std::string department{};
    std::int32_t id{};
    ticket share{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::share> < ticket{});
#else
    (void)(tablemap::field<&employee::share> == ticket{});
#endif
}

int main() {}
