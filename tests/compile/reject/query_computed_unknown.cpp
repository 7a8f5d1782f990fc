// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the mapping of this struct has no computed(...) property of this name
// expect: employee
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
    static constexpr auto members =
        tablemap::members(tablemap::computed("Double", [](employee const& e) { return e.age * 2; }));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::computed_field<employee, "Half"> == 3);
#else
    (void)(tablemap::computed_field<employee, "Double"> == 3);
#endif
}

int main() {}
