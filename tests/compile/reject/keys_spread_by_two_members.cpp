// SPDX-License-Identifier: Apache-2.0
// expect: tablemap[K6]: a partition key can be spread by one member only
// expect-gcc: T = event
// expect-clang: encode_partition<event>
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
    static constexpr auto partition_key = tablemap::key(tablemap::spread<4>(tablemap::part<&event::site>),
                                                        tablemap::spread<4>(tablemap::part<&event::device>));
#else
    static constexpr auto partition_key = tablemap::key(tablemap::spread<4>(tablemap::part<&event::site>));
#endif
    static constexpr auto row_key =
        tablemap::key(tablemap::part<&event::site>.escaped(), tablemap::part<&event::device>);
};

void use() {
    tablemap::detail::query_keys keys;
    (void)tablemap::detail::encode_partition<event>(keys, tablemap::partition());
}

int main() {}
