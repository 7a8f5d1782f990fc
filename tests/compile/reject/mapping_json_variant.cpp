// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[M6]: the alternatives of a variant in JSON are told apart by their kind, and two of these are the same
// expect: use a struct with an optional member for each
// expect-gcc: order::doc
// expect-clang: &order::doc
#include <tablemap/detail/mapping/json.hpp>

#include <string>
#include <variant>

struct order {
#ifdef TABLEMAP_REJECT
    std::variant<std::string, int, double> doc{};
#else
    std::variant<std::string, double> doc{};
#endif
};

static_assert(tablemap::detail::check_json<decltype(order::doc), &order::doc>());

int main() {}
