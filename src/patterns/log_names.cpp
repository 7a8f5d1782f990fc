// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_names.hpp"

#include "base/ascii.hpp"
#include "patterns/calendar_digits.hpp"
#include "store/blob_check.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

namespace chrono = std::chrono;

constexpr std::size_t digits_of_number = 6;
constexpr std::string_view ending = ".log";

// A longer span is listed by the next larger unit.
constexpr int most_days = 31;
constexpr int most_months = 24;
constexpr int most_years = 24;

/// The forms of what follows the name of a log: 0 stands for a digit.
constexpr std::string_view form_of(log_per per) noexcept {
    return per == log_per::hour ? "/0000/00/00/0000/000000.log" : "/0000/00/00/000000.log";
}

bool has_form(std::string_view text, std::string_view form) noexcept {
    return text.size() == form.size() && std::equal(text.begin(), text.end(), form.begin(),
                                                    [](char c, char f) { return f == '0' ? is_digit(c) : c == f; });
}

/// Reads the number that follows a slash.
unsigned take_field(std::string_view& from, std::size_t width) {
    from.remove_prefix(1);
    return take_number(from, width);
}

void append_field(std::string& to, unsigned value, unsigned width) {
    append_number(to, value, width);
    to += '/';
}

failure no_name(char const* reason) {
    return fail(service_errc::invalid_resource_name, {.reason = reason, .member = "name"});
}

result<void> check_name(std::string const& container, std::string const& name, std::string const& longest) {
    if (name.empty()) return no_name("a log needs a name, as \"requests\"");
    if (name.front() == '/' || name.back() == '/' || name.find("//") != std::string::npos)
        return no_name("slashes in the name of a log separate its parts, as \"web/requests\"");
    return check_blob_request(head_blob{container, longest});
}

int months_of(calendar_time const& c) { return static_cast<int>(c.year()) * 12 + static_cast<int>(c.month()) - 1; }

}  // namespace

log_names::log_names(std::string const& container, std::string name, log_per per) : name_(std::move(name)), per_(per) {
    if (auto const good = check_name(container, name_, file(ticks::min(), 1)); !good)
        throw good.error().in("open log", container);
}

// ---- periods --------------------------------------------------------------------------------------------------------

ticks log_names::start_of(ticks t) const {
    if (per_ == log_per::day) return chrono::floor<chrono::days>(t.time());
    return chrono::floor<chrono::hours>(t.time());
}

ticks log_names::next(ticks start) const {
    return start + (per_ == log_per::day ? tick_duration{chrono::days{1}} : tick_duration{chrono::hours{1}});
}

bool log_names::meets(ticks start, rolling_span const& span) const {
    bool const is_empty = span.from && span.to && *span.from >= *span.to;
    return !is_empty && (!span.from || *span.from < next(start)) && (!span.to || start < *span.to);
}

// ---- names ----------------------------------------------------------------------------------------------------------

std::string log_names::folder_of_day(ticks t) const {
    calendar_time const c{t};
    auto text = name_ + '/';
    append_field(text, c.year(), 4);
    append_field(text, c.month(), 2);
    append_field(text, c.day(), 2);
    return text;
}

std::string log_names::folder(ticks start) const {
    auto text = folder_of_day(start);
    if (per_ == log_per::hour) append_field(text, static_cast<unsigned>(calendar_time{start}.hour.count()) * 100, 4);
    return text;
}

std::string log_names::file(ticks start, std::uint32_t number) const {
    auto text = folder(start);
    append_number(text, number, digits_of_number);
    return text.append(ending);
}

std::optional<log_names::place> log_names::parse(std::string_view file) const {
    if (!file.starts_with(name_)) return std::nullopt;
    auto rest = file.substr(name_.size());
    if (!has_form(rest, form_of(per_))) return std::nullopt;
    auto const year = take_field(rest, 4);
    auto const month = take_field(rest, 2);
    auto const day = take_field(rest, 2);
    auto const time = per_ == log_per::hour ? take_field(rest, 4) : 0U;
    auto const start = time_of_fields(year, month, day, time / 100);
    auto const number = take_field(rest, digits_of_number);
    if (!start || time % 100 != 0 || number == 0) return std::nullopt;
    return place{*start, number};
}

// ---- spans ----------------------------------------------------------------------------------------------------------

std::vector<std::string> log_names::prefixes(rolling_span const& span) const {
    if (!span.from || !span.to) return {name_ + '/'};
    auto const from = std::max(*span.from, ticks::min());
    auto const last = std::min(*span.to - tick_duration{1}, ticks::max());
    if (from > last) return {};
    calendar_time const first_fields{from}, last_fields{last};
    auto const days = (chrono::sys_days{last_fields.date} - chrono::sys_days{first_fields.date}).count() + 1;
    auto const months = months_of(last_fields) - months_of(first_fields) + 1;
    auto const years = static_cast<int>(last_fields.year()) - static_cast<int>(first_fields.year()) + 1;
    if (years > most_years) return {name_ + '/'};
    std::vector<std::string> all;
    if (days <= most_days) {
        for (ticks day = chrono::floor<chrono::days>(from.time()); day <= last; day = day + chrono::days{1}) {
            auto const begin = start_of(std::max(day, from));
            auto const end = start_of(std::min(day + chrono::days{1} - tick_duration{1}, last));
            all.push_back(begin == end ? folder(begin) : folder_of_day(day));
        }
        return all;
    }
    bool const by_month = months <= most_months;
    for (int m = months_of(first_fields); m <= months_of(last_fields); m = by_month ? m + 1 : (m / 12 + 1) * 12) {
        auto text = name_ + '/';
        append_field(text, static_cast<unsigned>(m / 12), 4);
        if (by_month) append_field(text, static_cast<unsigned>(m % 12 + 1), 2);
        all.push_back(std::move(text));
    }
    return all;
}

}  // namespace tablemap::detail
