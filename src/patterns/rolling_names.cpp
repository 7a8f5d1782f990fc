// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/patterns/rolling_names.hpp"

#include "base/ascii.hpp"
#include "patterns/calendar_digits.hpp"
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
    append_number(digits, c.year(), 4);
    append_number(digits, c.month(), 2);
    if (per_ != table_per::month) append_number(digits, c.day(), 2);
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
    auto const year = take_number(digits, 4);
    auto const month = take_number(digits, 2);
    auto const day = per_ == table_per::month ? 1U : take_number(digits, 2);
    return time_of_fields(year, month, day, take_number(digits, 2));
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
