// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: an optional of an optional, or of a variant that can be null, has two ways to be null
// expect: or std::monostate in the variant alone
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <optional>
#include <variant>

struct order {
#ifdef TABLEMAP_REJECT
    std::optional<std::variant<std::monostate, int>> doc{};
#else
    std::variant<std::monostate, int> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
