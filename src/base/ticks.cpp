// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/ticks.hpp"

#include <array>
#include <cstring>
#include <optional>
#include <ostream>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::int64_t ticks_per_second = 10'000'000;

struct digits {
    char const* at;
    bool good = true;

    std::int64_t take(int n) noexcept {
        std::int64_t v = 0;
        for (int i = 0; i < n; ++i) {
            auto const d = static_cast<unsigned>(*at++) - '0';
            good &= d <= 9;
            v = v * 10 + d;
        }
        return v;
    }
    void expect(char c) noexcept { good = *at++ == c && good; }
};

/// The digits of the numbers below 100.
constexpr auto digit_pairs = [] {
    std::array<char, 200> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
    return all;
}();

/// Puts the last two digits of a number.
void put_two(char*& to, std::uint32_t number) noexcept {
    std::memcpy(to, &digit_pairs[2 * (number % 100)], 2);
    to += 2;
}

/// The day of `YYYY-MM-DD`; nothing if there is none.
std::optional<ticks> take_day(digits& in) noexcept {
    auto const year = static_cast<int>(in.take(4));
    in.expect('-');
    auto const month = static_cast<unsigned>(in.take(2));
    in.expect('-');
    auto const day = static_cast<unsigned>(in.take(2));
    auto const date = std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day};
    if (!in.good || year < 1 || !date.ok()) return std::nullopt;
    return ticks{std::chrono::sys_days{date}};
}

std::optional<ticks> parse_day(std::string_view text) noexcept {
    if (text.size() != 10) return std::nullopt;
    digits in{text.data()};
    return take_day(in);
}

}  // namespace

ticks ticks::now() noexcept { return ticks{std::chrono::system_clock::now()}; }

bool detail::parse_ticks(std::string_view text, ticks& out) noexcept {
    if (text.size() < 20 || text.size() > 28 || text.back() != 'Z') return false;
    digits in{text.data()};
    auto const day = take_day(in);
    in.expect('T');
    auto const hour = in.take(2);
    in.expect(':');
    auto const minute = in.take(2);
    in.expect(':');
    auto const second = in.take(2);
    std::int64_t fraction = 0;
    if (text.size() > 20) {
        in.expect('.');
        auto const n = static_cast<int>(text.size()) - 21;
        if (n < 1) return false;
        fraction = in.take(n);
        for (int i = n; i < 7; ++i) fraction *= 10;
    }
    if (!in.good || !day || hour > 23 || minute > 59 || second > 59) return false;
    out = *day + tick_duration{((hour * 60 + minute) * 60 + second) * ticks_per_second + fraction};
    return true;
}

void detail::append_ticks(std::string& out, ticks t) {
    auto const day = std::chrono::floor<std::chrono::days>(t.time());
    std::chrono::year_month_day const date{day};
    auto const year = static_cast<std::uint32_t>(static_cast<int>(date.year()));
    auto const in_day = (t.time() - day).count();
    auto const second = static_cast<std::uint32_t>(in_day / ticks_per_second);
    auto const fraction = static_cast<std::uint32_t>(in_day % ticks_per_second);
    char text[28];
    char* to = text;
    put_two(to, year / 100);
    put_two(to, year);
    *to++ = '-';
    put_two(to, static_cast<unsigned>(date.month()));
    *to++ = '-';
    put_two(to, static_cast<unsigned>(date.day()));
    *to++ = 'T';
    put_two(to, second / 3600);
    *to++ = ':';
    put_two(to, second / 60 % 60);
    *to++ = ':';
    put_two(to, second % 60);
    if (fraction != 0) {
        *to++ = '.';
        put_two(to, fraction / 100'000);
        put_two(to, fraction / 1'000);
        put_two(to, fraction / 10);
        *to++ = static_cast<char>('0' + fraction % 10);
        while (to[-1] == '0') --to;
    }
    *to++ = 'Z';
    out.append(text, to);
}

result<ticks> ticks::parse(std::string_view text) {
    ticks t;
    if (detail::parse_ticks(text, t)) return t;
    if (auto const day = parse_day(text)) return *day;
    return fail(library_errc::type_mismatch,
                {.reason = "expected a UTC time such as 2024-01-01T00:00:00.1234567Z, or a day such as 2024-01-01"});
}

std::ostream& operator<<(std::ostream& out, ticks t) {
    return t < ticks{} || t > ticks::max() ? out << t.count() << " ticks" : out << t.text();
}

std::string ticks::text() const {
    std::string out;
    detail::append_ticks(out, *this);
    return out;
}

}  // namespace tablemap
