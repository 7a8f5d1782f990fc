// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: the service has no unsigned numbers; use std::int32_t or std::int64_t
// expect-gcc: order::pieces
// expect-clang: .value.pieces
// expect-gcc: [with V = unsigned int;
// expect-clang: check_member_type<unsigned int,
#include <tablemap/repository/table.hpp>

#include <cstdint>
#include <string>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    std::uint32_t pieces{};
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
