// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/rolling_names.hpp"

#include "base/ascii.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

namespace chrono = std::chrono;

constexpr std::size_t digits_in(table_per p) noexcept {
    switch (p) {
    case table_per::hour: return 10;
    case table_per::day: return 8;
    default: return 6;
    }
}

/// The fields of the calendar that a name tells.
struct calendar_time {
    chrono::year_month_day date{};
    chrono::hours hour{0};

    explicit calendar_time(ticks t) {
        auto const day = chrono::floor<chrono::days>(t.time());
        date = day;
        hour = chrono::floor<chrono::hours>(t.time() - day);
    }
};

void append_number(std::string& to, unsigned value, unsigned width) {
    auto const text = std::to_string(value);
    to.append(width - text.size(), '0').append(text);
}

unsigned take_number(std::string_view& from, std::size_t width) {
    unsigned n = 0;
    for (char const c : from.substr(0, width)) n = n * 10 + static_cast<unsigned>(c - '0');
    from.remove_prefix(std::min(width, from.size()));
    return n;
}

}  // namespace

rolling_names::rolling_names(std::string prefix, table_per per) : prefix_(std::move(prefix)), per_(per) {
    if (prefix_.empty() || !is_letter(prefix_.back()))
        throw error{library_errc::invalid_table_name,
                    {.reason = "the prefix of a rolling table must end in a letter, because the digits behind it name "
                               "the period",
                     .table = prefix_}};
    value_or_throw(check_table_name(name_of(ticks::min())));
}

ticks rolling_names::start_of(ticks t) const {
    calendar_time const c{t};
    if (per_ == table_per::month) return chrono::sys_days{c.date.year() / c.date.month() / 1};
    auto const day = chrono::sys_days{c.date};
    return per_ == table_per::day ? ticks{day} : ticks{day + c.hour};
}

ticks rolling_names::next(ticks start) const {
    calendar_time const c{start};
    switch (per_) {
    case table_per::hour: return start + chrono::hours{1};
    case table_per::day: return start + chrono::days{1};
    default: break;
    }
    return chrono::sys_days{(c.date.year() / c.date.month() + chrono::months{1}) / 1};
}

std::string rolling_names::digits_of(ticks start) const {
    calendar_time const c{start};
    std::string digits;
    append_number(digits, static_cast<unsigned>(static_cast<int>(c.date.year())), 4);
    append_number(digits, static_cast<unsigned>(c.date.month()), 2);
    if (per_ != table_per::month) append_number(digits, static_cast<unsigned>(c.date.day()), 2);
    if (per_ == table_per::hour) append_number(digits, static_cast<unsigned>(c.hour.count()), 2);
    return digits;
}

std::string rolling_names::name_of(ticks start) const { return prefix_ + digits_of(start); }

result<std::string> rolling_names::table_of(ticks t, std::string_view member) const {
    if (!t.storable())
        return fail(library_errc::value_out_of_range,
                    {.reason = "a time from 1601 to 9999 says which table it is; set the member",
                     .table = prefix_,
                     .member = std::string{member}});
    return name_of(start_of(t));
}

std::optional<ticks> rolling_names::parse(std::string_view name) const {
    if (!name.starts_with(prefix_)) return std::nullopt;
    return parse_digits(name.substr(prefix_.size()));
}

std::optional<ticks> rolling_names::parse_digits(std::string_view digits) const {
    if (digits.size() != digits_in(per_) || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
    chrono::year const year{static_cast<int>(take_number(digits, 4))};
    chrono::month const month{take_number(digits, 2)};
    chrono::day const day{per_ == table_per::month ? 1U : take_number(digits, 2)};
    chrono::hours const hour{take_number(digits, 2)};
    chrono::year_month_day const date{year, month, day};
    if (!date.ok() || hour >= chrono::hours{24}) return std::nullopt;
    ticks const start{chrono::sys_days{date} + hour};
    return start.storable() ? std::optional{start} : std::nullopt;
}

bool rolling_names::meets(ticks start, rolling_span const& span) const {
    return (!span.from || *span.from < next(start)) && (!span.to || start < *span.to);
}

bool rolling_names::lies_in(ticks start, rolling_span const& span) const {
    return (!span.from || *span.from <= start) && (!span.to || next(start) <= *span.to);
}

ticks time_before(ticks t, tick_duration by) noexcept { return by > t - ticks::min() ? ticks::min() : t - by; }

bool is_over(rolling_names const& names, rolling_options const& o, ticks start) {
    return o.keep && names.next(start) <= time_before(o.now(), *o.keep);
}

moved_time::moved_time(std::string_view table, std::string_view member)
    : error(error{library_errc::key_changed,
                  {.reason = "the time decides which table an entity is in: erase it there, and insert it with the new "
                             "time",
                   .member = std::string{member}}}
                .in("modify", table)) {}

}  // namespace tablemap::detail
