// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: a character is neither text nor number to the service; use std::string or std::int32_t
// expect-gcc: order::grade
// expect-clang: .value.grade
// expect-gcc: [with V = char;
// expect-clang: refuse_member<char,
#include <tablemap/table/table.hpp>

#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    char grade{};
#else
    std::string grade{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
