// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/ticks.hpp"

#include "base/ascii.hpp"
#include "base/ticks_text.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ostream>

namespace tablemap::inline v0_1 {
namespace {

constexpr std::int64_t ticks_per_second = 10'000'000;

/// Eight characters that are compared at once.
class text_form {
public:
    /// A digit 0 stands for any digit.
    constexpr explicit text_form(std::string_view text) {
        std::array<char, sizeof(std::uint64_t)> characters{}, room{};
        for (std::size_t i = 0; i < characters.size(); ++i) {
            characters[i] = text[i];
            room[i] = text[i] == '0' ? 0x7F - 9 : 0x7F;
        }
        characters_ = std::bit_cast<std::uint64_t>(characters);
        room_ = std::bit_cast<std::uint64_t>(room);
    }

    /// Each byte has its upper bit set if it differs by more than there is room for.
    bool fits(char const* at) const noexcept {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        auto const difference = word ^ characters_;
        return ((difference | (difference + room_)) & 0x8080'8080'8080'8080) == 0;
    }

private:
    std::uint64_t characters_, room_;
};

constexpr text_form month_form{"0000-00-"}, hour_form{"00T00:00"}, second_form{"00:00:00"};

/// The number of two characters that were checked.
int number_at(char const* at) noexcept { return (at[0] - '0') * 10 + (at[1] - '0'); }

/// The digits of the numbers below 100.
constexpr auto digit_pairs = [] {
    std::array<char, 200> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
    return all;
}();

/// Precondition: the number is below 100.
void put_two(char*& to, std::uint32_t number) noexcept {
    std::memcpy(to, &digit_pairs[2 * number], 2);
    to += 2;
}

/// The day of `YYYY-MM-DD`, whose characters were checked; nothing if there is none.
std::optional<ticks> day_at(char const* at) noexcept {
    std::chrono::year const year{number_at(at) * 100 + number_at(at + 2)};
    std::chrono::month const month{static_cast<unsigned>(number_at(at + 5))};
    std::chrono::day const day{static_cast<unsigned>(number_at(at + 8))};
    auto const date = year / month / day;
    if (year < std::chrono::year{1} || !date.ok()) return std::nullopt;
    return ticks{std::chrono::sys_days{date}};
}

std::optional<ticks> parse_day(std::string_view text) noexcept {
    if (text.size() != 10 || !month_form.fits(text.data())) return std::nullopt;
    if (!detail::is_digit(text[8]) || !detail::is_digit(text[9])) return std::nullopt;
    return day_at(text.data());
}

/// The ticks of the last of so many digits behind the point.
constexpr std::array<std::int64_t, 8> digit_units{10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};

/// Reads one to seven digits behind the point.
bool read_fraction(std::string_view digits, std::int64_t& to) noexcept {
    std::uint32_t number = 0;
    for (char const c : digits) {
        auto const digit = static_cast<unsigned>(c) - '0';
        if (digit > 9) return false;
        number = number * 10 + digit;
    }
    to = number * digit_units[digits.size()];
    return !digits.empty();
}

}  // namespace

ticks ticks::now() noexcept { return ticks{std::chrono::system_clock::now()}; }

bool detail::parse_ticks(std::string_view text, ticks& out) noexcept {
    if (text.size() < 20 || text.size() > 28 || text.back() != 'Z') return false;
    auto const* const at = text.data();
    if (!month_form.fits(at) || !hour_form.fits(at + 8) || !second_form.fits(at + 11)) return false;
    std::int64_t fraction = 0;
    if (text.size() > 20 && (at[19] != '.' || !read_fraction(text.substr(20, text.size() - 21), fraction)))
        return false;
    auto const day = day_at(at);
    int const hour = number_at(at + 11), minute = number_at(at + 14), second = number_at(at + 17);
    if (!day || hour > 23 || minute > 59 || second > 59) return false;
    out = *day + tick_duration{((hour * 60 + minute) * 60 + second) * ticks_per_second + fraction};
    return true;
}

detail::ticks_text::ticks_text(ticks t) noexcept {
    auto const day = std::chrono::floor<std::chrono::days>(t.time());
    std::chrono::year_month_day const date{day};
    auto const year = static_cast<std::uint32_t>(static_cast<int>(date.year()));
    auto const in_day = (t.time() - day).count();
    auto const second = static_cast<std::uint32_t>(in_day / ticks_per_second);
    auto const fraction = static_cast<std::uint32_t>(in_day % ticks_per_second);
    char* to = bytes_.data();
    put_two(to, year / 100 % 100);
    put_two(to, year % 100);
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
        put_two(to, fraction / 1'000 % 100);
        put_two(to, fraction / 10 % 100);
        *to++ = static_cast<char>('0' + fraction % 10);
        while (to[-1] == '0') --to;
    }
    *to++ = 'Z';
    size_ = static_cast<std::size_t>(to - bytes_.data());
}

void detail::append_ticks(std::string& out, ticks t) { out += ticks_text{t}.view(); }

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
