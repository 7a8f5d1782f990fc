// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: stores do not compare binary properties alike, so none is filtered by; store a hash or an id beside it, and compare that
// expect: employee::photo
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::int32_t age{};
    tablemap::bytes photo{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::photo> == tablemap::bytes{});
#else
    (void)(tablemap::field<&employee::age> == 3);
#endif
}

int main() {}
