// SPDX-License-Identifier: Apache-2.0
#include "edm/etag_at.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {
constexpr std::string_view prefix = "W/\"datetime'";
constexpr std::string_view suffix = "'\"";
constexpr std::string_view colon = "%3A";
constexpr std::size_t hours_end = 13;    // YYYY-MM-DDThh
constexpr std::size_t minutes_end = 16;  // YYYY-MM-DDThh:mm
}  // namespace

etag detail::etag_at(ticks_text const& time) {
    auto const whole = time.view();
    std::array<char, 48> text;  // in place: a string that grows piece by piece takes twice as long
    char* to = text.data();
    auto const put = [&](std::string_view piece) { to = std::copy(piece.begin(), piece.end(), to); };
    put(prefix), put({whole.data(), hours_end});
    put(colon), put({whole.data() + hours_end + 1, minutes_end - hours_end - 1});
    put(colon), put(whole.substr(minutes_end + 1));
    put(suffix);
    return etag{std::string{text.data(), to}};
}

std::ostream& operator<<(std::ostream& out, etag const& e) { return out << e.text(); }

etag etag::of(ticks timestamp) { return detail::etag_at(detail::ticks_text{timestamp}); }

std::optional<ticks> etag::timestamp() const noexcept {
    std::string_view inner{text_};
    if (!inner.starts_with(prefix)) return std::nullopt;
    inner.remove_prefix(prefix.size());
    if (!inner.ends_with(suffix)) return std::nullopt;  // tested on the rest, because prefix and suffix share a quote
    inner.remove_suffix(suffix.size());
    char time[28];
    std::size_t n = 0;
    while (!inner.empty()) {
        bool const escaped = inner.starts_with(colon);
        if (n == sizeof time) return std::nullopt;
        time[n++] = escaped ? ':' : inner[0];
        inner.remove_prefix(escaped ? colon.size() : 1);
    }
    ticks t;
    if (!detail::parse_ticks({time, n}, t)) return std::nullopt;
    return t;
}

}  // namespace tablemap
