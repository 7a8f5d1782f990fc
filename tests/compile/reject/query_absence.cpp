// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[Q2]: the service cannot ask whether a property is there; compare with a value, such as *x, or store a bool that tells
// expect: employee::email
#include <tablemap/query/field.hpp>

#include <cstdint>
#include <optional>
#include <string>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::optional<std::string> email{};
};

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&employee::id>.width(6));
};

void use() {
#ifdef TABLEMAP_REJECT
    (void)(tablemap::field<&employee::email> == std::nullopt);
#else
    (void)(tablemap::field<&employee::email> == "");
#endif
}

int main() {}
