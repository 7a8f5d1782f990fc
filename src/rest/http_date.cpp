// SPDX-License-Identifier: Apache-2.0
#include "rest/http_date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::string_view form = "Fri, 20 Nov 2026 00:00:00 GMT";

void put(std::string& out, std::int64_t value, int width) {
    std::array<char, 4> digits{};
    for (int i = width; i-- > 0; value /= 10) digits[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
    out.append(digits.data(), static_cast<std::size_t>(width));
}

/// The number at a position of the text, or -1.
int number_at(std::string_view text, std::size_t at, std::size_t width) noexcept {
    int n = 0;
    for (char const c : text.substr(at, width)) {
        if (c < '0' || c > '9') return -1;
        n = n * 10 + (c - '0');
    }
    return n;
}

}  // namespace

void append_http_date(std::string& out, ticks t) {
    auto const day = std::chrono::floor<std::chrono::days>(t.time());
    std::chrono::year_month_day const date{day};
    auto const second = std::chrono::floor<std::chrono::seconds>(t.time() - day).count();
    out += days[std::chrono::weekday{day}.c_encoding()];
    out += ", ";
    put(out, static_cast<unsigned>(date.day()), 2);
    out.append(" ").append(months[static_cast<unsigned>(date.month()) - 1]).append(" ");
    put(out, static_cast<int>(date.year()), 4);
    out += ' ';
    put(out, second / 3600, 2);
    out += ':';
    put(out, second / 60 % 60, 2);
    out += ':';
    put(out, second % 60, 2);
    out += " GMT";
}

std::optional<ticks> parse_http_date(std::string_view text) noexcept {
    if (text.size() != form.size() || !text.ends_with(" GMT")) return std::nullopt;
    auto const month = std::find(months.begin(), months.end(), text.substr(8, 3));
    auto const day = number_at(text, 5, 2);
    auto const year = number_at(text, 12, 4);
    auto const hour = number_at(text, 17, 2);
    auto const minute = number_at(text, 20, 2);
    auto const second = number_at(text, 23, 2);
    if (month == months.end() || day < 1 || year < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
        second < 0 || second > 60)
        return std::nullopt;
    std::chrono::year_month_day const date{std::chrono::year{year},
                                           std::chrono::month{static_cast<unsigned>(month - months.begin()) + 1},
                                           std::chrono::day{static_cast<unsigned>(day)}};
    if (!date.ok()) return std::nullopt;
    return ticks{std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
                 std::chrono::seconds{second}};
}

}  // namespace tablemap::detail
