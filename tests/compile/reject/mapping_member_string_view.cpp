// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: a std::string_view would outlive the text it was read from; use std::string
// expect-gcc: order::remark
// expect-clang: .value.remark
// expect-gcc: [with V = std::basic_string_view<char>;
// expect-clang: refuse_member<std::basic_string_view<char>,
#include <tablemap/table/table.hpp>

#include <string>
#include <string_view>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::string_view remark{};
#else
    std::string remark{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
