// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: the service has no numbers of this width; use std::int32_t
// expect-gcc: order::pieces
// expect-clang: .value.pieces
// expect-gcc: [with V = short int;
// expect-clang: check_member_type<short,
#include <tablemap/repository/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    short pieces{};
#else
    std::int32_t pieces{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
