// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/ticks.hpp"

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
            good = good && d <= 9;
            v = v * 10 + d;
        }
        return v;
    }
    void expect(char c) noexcept { good = *at++ == c && good; }
};

void put(char*& to, std::int64_t value, int width) noexcept {
    for (int i = width; i-- > 0; value /= 10) to[i] = static_cast<char>('0' + value % 10);
    to += width;
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
    auto rest = (t.time() - day).count();
    char text[28];
    char* to = text;
    put(to, static_cast<int>(date.year()), 4);
    *to++ = '-';
    put(to, static_cast<unsigned>(date.month()), 2);
    *to++ = '-';
    put(to, static_cast<unsigned>(date.day()), 2);
    *to++ = 'T';
    auto const second = rest / ticks_per_second;
    put(to, second / 3600, 2);
    *to++ = ':';
    put(to, second / 60 % 60, 2);
    *to++ = ':';
    put(to, second % 60, 2);
    if (rest %= ticks_per_second; rest != 0) {
        *to++ = '.';
        put(to, rest, 7);
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
