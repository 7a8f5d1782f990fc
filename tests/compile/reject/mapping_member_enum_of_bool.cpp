// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M4]: an enum of underlying type bool has no numbers to store; use another underlying type
// expect-gcc: order::now
// expect-clang: .value.now
#include <tablemap/table/table.hpp>

#include <string>

#ifdef TABLEMAP_REJECT
enum class state : bool { open, shipped };
#else
enum class state : char { open, shipped };
#endif

template <> inline constexpr auto tablemap::enumeration<state> = tablemap::by_name<state::open, state::shipped>;

struct order {
    std::string id{};
    state now{};
};

template <> struct tablemap::mapping<order> {
    static constexpr auto partition_key = tablemap::key("orders");
    static constexpr auto row_key = tablemap::key(tablemap::part<&order::id>);
};

std::string const& name_of(tablemap::table<order> const& t) { return t.name(); }

int main() {}
