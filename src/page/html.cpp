// SPDX-License-Identifier: Apache-2.0
#include "page/html.hpp"

#include "base/direction.hpp"

#include <array>
#include <cstdio>
#include <utility>

namespace tablemap::inline v0_1::page {
namespace {

constexpr std::size_t longest_key = 160;

/// The sign that shows a control character, U+2400 to U+241F, and U+2421 of DEL, in UTF-8.
std::string control_sign(unsigned char c) { return {'\xE2', '\x90', static_cast<char>(c == 0x7F ? 0xA1 : 0x80 + c)}; }

std::string_view entity_name(char c) {
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
    }
}

template <class... Arguments> std::string formatted(char const* format, Arguments... arguments) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, arguments...);
    return text.data();
}

/// A text of at most so many bytes, cut in front of a character.
std::string_view shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    return text.substr(0, most);
}

}  // namespace

html& html::text(std::string_view any) {
    for (std::size_t i = 0; i < any.size(); ++i) {
        char const c = any[i];
        auto const byte = static_cast<unsigned char>(c);
        if (auto const turn = detail::turning_bytes(any.substr(i)); turn > 0)
            append("\uFFFD"), i += turn - 1;
        else if (byte < 0x20 || byte == 0x7F)
            append(control_sign(byte));
        else if (auto const name = entity_name(c); !name.empty())
            append(name);
        else
            out_ += c;
    }
    return *this;
}

html& html::key(std::string_view any) {
    if (any.empty()) return add("<span class=\"none\">(empty)</span>");
    auto const shown = shortened(any, longest_key);
    add("<bdi class=\"key\">").text(shown);
    return shown.size() < any.size() ? add("…</bdi>") : add("</bdi>");
}

html& html::parameter(std::string_view any) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (char const c : any) {
        auto const byte = static_cast<unsigned char>(c);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
            out_ += c;
        else
            out_ += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return *this;
}

html& html::number(std::uint64_t n) { return append(with_separators(n)); }

html& html::bytes(std::uint64_t n) {
    constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    auto amount = static_cast<double>(n);
    std::size_t unit = 0;
    while (amount >= 1024 && unit + 1 < units.size()) amount /= 1024, ++unit;
    return append(formatted(unit == 0 ? "%.0f&nbsp;%s" : "%.1f&nbsp;%s", amount, units[unit]));
}

html& html::percent(double share) {
    if (share > 0 && share < 0.001) return add("&lt;&nbsp;0.1&nbsp;%");
    return append(formatted(share > 0 && share < 0.0995 ? "%.1f&nbsp;%%" : "%.0f&nbsp;%%", share * 100));
}

html& html::coordinate(double x) { return append(formatted("%.2f", x)); }

}  // namespace tablemap::page
