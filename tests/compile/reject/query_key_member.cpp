// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: this member is stored in the key alone, so there is no property to compare; narrow the query by partition(...), row_range(...) or leading(...), or let the part be also_stored()
// expect: employee::id
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::id> >= 30);
#else
    (void)(tablemap::field<&employee::age> >= 30);
#endif
}

int main() {}
