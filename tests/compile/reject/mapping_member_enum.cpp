// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: an enum must say how it is stored; declare template <> inline constexpr auto tablemap::enumeration<E> = tablemap::by_name<E::a, E::b>, or by_number<...>, before it is mapped
// expect-gcc: order::now
// expect-clang: .value.now
// expect-gcc: [with V = state;
// expect-clang: refuse_member<state,
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <string>

enum class state { open, shipped };

struct order {
    std::string id{};
#ifdef TABLEMAP_REJECT
    state now{};
#else
    std::int32_t now{};
#endif
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
