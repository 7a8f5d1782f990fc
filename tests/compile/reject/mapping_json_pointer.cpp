// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: a pointer cannot be stored; use the value itself, or std::optional or std::vector of it
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <memory>
#include <optional>

struct order {
#ifdef TABLEMAP_REJECT
    std::unique_ptr<int> doc{};
#else
    std::optional<int> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
