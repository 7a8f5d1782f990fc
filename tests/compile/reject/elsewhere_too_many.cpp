// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[P3]: a type has at most 40 indexes elsewhere
// expect-gcc: T = employee
// expect-clang: <employee>
#include <tablemap/table/table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

struct employee {
    std::string department{};
    std::int32_t id{};
    std::string email{};
    std::string name{};
    std::int32_t age{};
};

template <std::size_t I>
inline constexpr char beginning[4] = {static_cast<char>('A' + I / 10), static_cast<char>('0' + I % 10), '_', 0};

template <std::size_t I> constexpr auto make_one() {
    return tablemap::index_in<tablemap::detail::fixed_string<4>{beginning<I>}, "EmployeesByAge">(
        tablemap::key(tablemap::part<&employee::age>.width(3)), tablemap::key(beginning<I>));
}
template <std::size_t... I> constexpr auto make(std::index_sequence<I...>) { return std::tuple{make_one<I>()...}; }

template <> struct tablemap::mapping<employee> {
    static constexpr auto partition_key = tablemap::key(tablemap::part<&employee::department>);
    static constexpr auto row_key = tablemap::key("empid_", tablemap::part<&employee::id>.width(6));
#ifdef TABLEMAP_REJECT
    static constexpr auto indexes =
        std::apply([](auto const&... i) { return tablemap::indexes(i...); }, make(std::make_index_sequence<41>{}));
#else
    static constexpr auto indexes =
        std::apply([](auto const&... i) { return tablemap::indexes(i...); }, make(std::make_index_sequence<40>{}));
#endif
};

std::string const& name_of(tablemap::table<employee> const& t) { return t.name(); }

int main() {}
