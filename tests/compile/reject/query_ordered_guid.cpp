// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: stores do not agree on the order of guids; compare with == or !=
// expect: employee::session
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    tablemap::guid session{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::session> < tablemap::guid{});
#else
    (void)(tablemap::field<&employee::session> != tablemap::guid{});
#endif
}

int main() {}
