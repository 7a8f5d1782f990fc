// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K9]: only text makes a key empty; leave out may_be_empty()
#include <tablemap/keys/key.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string customer{};
    std::int32_t number{};
};

#ifdef TABLEMAP_REJECT
constexpr auto part = tablemap::part<&order::number>.may_be_empty();
#else
constexpr auto part = tablemap::part<&order::customer>.may_be_empty();
#endif

int main() {}
