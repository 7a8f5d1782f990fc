// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K2]: a time in a key is counted in whole ticks of 100 ns
// expect-gcc: Member = &event::precise
// expect-clang: &event::precise
#include <tablemap/table/table.hpp>

#include <cstdint>
#include <optional>
#include <string>

enum class level { junior, senior = 1000, below = -1 };
enum class state { off, on };
enum class undeclared { a, b };

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::senior>;
template <> inline constexpr auto tablemap::enumeration<state> = tablemap::by_name<state::off, state::on>;

struct event {
    std::string device{};
    std::string site{};
    std::int32_t number{};
    std::int64_t count{};
    double value{};
    float weight{};
    tablemap::guid id{};
    level rank{};
    state power{};
    undeclared other{};
    std::chrono::sys_time<std::chrono::nanoseconds> precise{};
};

template <> struct tablemap::mapping<event> {
#ifdef TABLEMAP_REJECT
    static constexpr auto partition_key = tablemap::key(tablemap::part<&event::site>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&event::precise>);
#else
    static constexpr auto partition_key = tablemap::key(tablemap::part<&event::site>);
    static constexpr auto row_key = tablemap::key(tablemap::part<&event::number>.ordered());
#endif
};

static_assert(
    tablemap::detail::check_keys<tablemap::mapping<event>::partition_key, tablemap::mapping<event>::row_key, event>());

int main() {}
