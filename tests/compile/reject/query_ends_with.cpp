// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the service cannot look at the end of text; read the rows and look in C++, or store the text reversed as a computed(...) property and use starts_with
// expect: employee::name
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string name{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)tablemap::ends_with(tablemap::field<&employee::name>, "x");
#else
    (void)tablemap::starts_with(tablemap::field<&employee::name>, "x");
#endif
}

int main() {}
