// SPDX-License-Identifier: Apache-2.0
#include "tablemap/edm/etag.hpp"

#include <ostream>

namespace tablemap::inline v0_1 {
namespace {
constexpr std::string_view prefix = "W/\"datetime'";
constexpr std::string_view suffix = "'\"";
constexpr std::size_t hours_end = 13;    // YYYY-MM-DDThh
constexpr std::size_t minutes_end = 16;  // YYYY-MM-DDThh:mm
}  // namespace

void detail::append_etag(std::string& out, ticks timestamp) {
    char const* const colon = "%3A";
    out += prefix;
    auto const time = out.size();
    append_ticks(out, timestamp);
    out.replace(time + minutes_end, 1, colon).replace(time + hours_end, 1, colon);
    out += suffix;
}

std::ostream& operator<<(std::ostream& out, etag const& e) { return out << e.text(); }

etag etag::of(ticks timestamp) {
    std::string text;
    text.reserve(48);
    detail::append_etag(text, timestamp);
    return etag{std::move(text)};
}

std::optional<ticks> etag::timestamp() const noexcept {
    std::string_view inner{text_};
    if (!inner.starts_with(prefix)) return std::nullopt;
    inner.remove_prefix(prefix.size());
    if (!inner.ends_with(suffix)) return std::nullopt;  // tested on the rest, because prefix and suffix share a quote
    inner.remove_suffix(suffix.size());
    char time[28];
    std::size_t n = 0;
    while (!inner.empty()) {
        bool const escaped = inner.starts_with("%3A");
        if (n == sizeof time) return std::nullopt;
        time[n++] = escaped ? ':' : inner[0];
        inner.remove_prefix(escaped ? 3 : 1);
    }
    ticks t;
    if (!detail::parse_ticks({time, n}, t)) return std::nullopt;
    return t;
}

}  // namespace tablemap
