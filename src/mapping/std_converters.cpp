// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/mapping/converters/date.hpp"
#include "tablemap/mapping/converters/octets.hpp"
#include "tablemap/mapping/converters/path.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {

result<ticks> converter<std::chrono::year_month_day>::to_property(std::chrono::year_month_day const& date) {
    if (!date.ok()) return fail(library_errc::value_out_of_range, {.reason = "there is no such date in the calendar"});
    ticks const midnight{std::chrono::sys_days{date}};
    if (!midnight.storable())
        return fail(library_errc::value_out_of_range, {.reason = "dates lie in the years 1601 to 9999"});
    return midnight;
}

result<std::chrono::year_month_day> converter<std::chrono::year_month_day>::from_property(ticks const& midnight) {
    auto const time = midnight.time();
    auto const day = std::chrono::floor<std::chrono::days>(time);
    if (day != time) return fail(library_errc::type_mismatch, {.reason = "it is a time of day, and no date"});
    return std::chrono::year_month_day{day};
}

result<std::string> converter<std::filesystem::path>::to_property(std::filesystem::path const& p) {
    auto text = p.generic_string();
    if (!detail::utf16_length(text)) return fail(library_errc::invalid_text, {.reason = "the path is not UTF-8"});
    return text;
}

std::filesystem::path converter<std::filesystem::path>::from_property(std::string const& text) { return {text}; }

bytes converter<std::vector<std::uint8_t>>::to_property(std::vector<std::uint8_t> const& octets) {
    bytes b(octets.size());
    std::transform(octets.begin(), octets.end(), b.begin(), [](std::uint8_t o) { return std::byte{o}; });
    return b;
}

std::vector<std::uint8_t> converter<std::vector<std::uint8_t>>::from_property(bytes const& b) {
    std::vector<std::uint8_t> octets(b.size());
    std::transform(b.begin(), b.end(), octets.begin(), [](std::byte o) { return std::to_integer<std::uint8_t>(o); });
    return octets;
}

}  // namespace tablemap
