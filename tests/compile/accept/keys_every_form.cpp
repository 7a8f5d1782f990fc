// SPDX-License-Identifier: Apache-2.0
#include <tablemap/table/table.hpp>

#include <chrono>
#include <cstdint>
#include <string>

enum class level : std::uint8_t { junior, senior };

template <> inline constexpr auto tablemap::enumeration<level> = tablemap::by_number<level::junior, level::senior>;

/// Stands for a discriminator, whose text becomes the prefix of a key.
struct prefix {
    constexpr std::string_view as_key_part() const { return "log_"; }
};

struct event {
    std::string site{};
    std::string device{};
    std::string note{};
    std::uint16_t port{};
    std::int32_t number{};
    double value{};
    bool urgent{};
    level rank{};
    tablemap::guid id{};
    tablemap::ticks at{};
    std::chrono::sys_days day{};
};

template <> struct tablemap::mapping<event> {
    static constexpr auto partition_key =
        tablemap::key(tablemap::part<&event::site>.escaped(), tablemap::spread<16>(tablemap::part<&event::device>));
    static constexpr auto row_key = tablemap::key(
        prefix{}, tablemap::part<&event::at>.descending(), "_", tablemap::part<&event::device>.escaped(),
        tablemap::part<&event::note>.descending(), tablemap::part<&event::note>.hashed(),
        tablemap::part<&event::port>.range(1, 65535), tablemap::part<&event::number>.ordered(),
        tablemap::part<&event::value>.descending(), tablemap::part<&event::urgent>,
        tablemap::part<&event::rank>.width(3), tablemap::part<&event::day>, tablemap::part<&event::id>.generated());
};

void use(tablemap::table<event> const& events) {
    tablemap::ticks const t{};
    (void)events.query(tablemap::partition("north"));
    (void)events.query(tablemap::partition("north"), tablemap::row_range(t, std::chrono::sys_days{}));
    (void)events.query(tablemap::partition("north"), tablemap::leading(t, "d").range("a", "b"), {});
    (void)events.query(tablemap::partition("north"),
                       tablemap::leading(t, "d", "n").between(std::uint16_t{1}, std::uint16_t{1024}));
    (void)events.query(tablemap::partition("north"), tablemap::starting_with(t, "dev"));
}

int main() {}
