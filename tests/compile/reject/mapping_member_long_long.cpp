// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: use std::int64_t, the type of Edm.Int64 on every platform
// expect-gcc: order::pieces
// expect-clang: .value.pieces
#include <tablemap/repository/table.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    // Whichever of the two is not std::int64_t here.
    std::conditional_t<std::is_same_v<long, std::int64_t>, long long, long> pieces{};
#else
    std::int64_t pieces{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
