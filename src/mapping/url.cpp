// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/url.hpp"

#include "base/ascii.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>

// Names in comments are those of the grammar in RFC 3986, appendix A.

namespace tablemap::inline v0_1 {
namespace {

using detail::is_digit;
using detail::is_hex;
using detail::is_letter;

constexpr auto npos = std::string_view::npos;

bool is_one_of(char c, std::string_view set) noexcept { return set.find(c) != npos; }

/// unreserved or sub-delims.
bool is_plain(char c) noexcept { return is_letter(c) || is_digit(c) || is_one_of(c, "-._~!$&'()*+,;="); }

/// Any number of plain characters, percent escapes, and characters of `more`.
bool is_escaped_text(std::string_view text, std::string_view more) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (text.size() - i < 3 || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
            i += 2;
        } else if (!is_plain(text[i]) && !is_one_of(text[i], more)) {
            return false;
        }
    }
    return true;
}

bool is_scheme(std::string_view text) noexcept {
    return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter(c) || is_digit(c) || is_one_of(c, "+-.");
    });
}

bool is_file_scheme(std::string_view scheme) noexcept {
    constexpr std::string_view file = "file";
    return std::equal(scheme.begin(), scheme.end(), file.begin(), file.end(),
                      [](char a, char b) { return (a | 0x20) == b; });  // letters differ by this bit from capitals
}

/// IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
bool is_future_address(std::string_view text) noexcept {
    auto const point = text.find('.');
    if (text.empty() || (text[0] | 0x20) != 'v' || point == npos || point < 2 || point + 1 == text.size()) return false;
    auto const version = text.substr(1, point - 1);
    auto const rest = text.substr(point + 1);
    return std::all_of(version.begin(), version.end(), is_hex) &&
           std::all_of(rest.begin(), rest.end(), [](char c) { return is_plain(c) || c == ':'; });
}

/// True for the text between the brackets of an IP-literal.
bool is_bracketed_address(std::string_view text) {
    in6_addr address{};
    return is_future_address(text) ||
           (text.find('\0') == npos && inet_pton(AF_INET6, std::string{text}.c_str(), &address) == 1);
}

bool is_port(std::string_view text) noexcept { return std::all_of(text.begin(), text.end(), is_digit); }

/// host [ ":" port ]
bool is_host_and_port(std::string_view text, bool may_be_empty) {
    if (text.starts_with('[')) {
        auto const close = text.find(']');
        if (close == npos || !is_bracketed_address(text.substr(1, close - 1))) return false;
        auto const rest = text.substr(close + 1);
        return rest.empty() || (rest[0] == ':' && is_port(rest.substr(1)));
    }
    auto const colon = text.find(':');
    auto const host = text.substr(0, colon);
    if (colon != npos && !is_port(text.substr(colon + 1))) return false;
    return (!host.empty() || (may_be_empty && colon == npos)) && is_escaped_text(host, "");
}

failure no_url(std::string_view what) {
    std::string reason = "the text is no absolute URL: ";
    return fail(library_errc::type_mismatch, {.reason = reason.append(what)});
}

}  // namespace

result<url> url::parse(std::string_view text) {
    auto const scheme = text.substr(0, text.find(':'));
    if (!is_scheme(scheme) || !text.substr(scheme.size()).starts_with("://"))
        return no_url("it must begin with a scheme and ://, as in https://");
    auto rest = text.substr(scheme.size() + 3);
    auto const path = std::min(rest.find_first_of("/?#"), rest.size());
    auto const authority = rest.substr(0, path);
    auto const at = authority.rfind('@');
    if (at != npos && !is_escaped_text(authority.substr(0, at), ":"))
        return no_url("a character before the @ must be percent-encoded");
    auto const host = at == npos ? authority : authority.substr(at + 1);
    if (!is_host_and_port(host, at == npos && is_file_scheme(scheme)))
        return no_url("no host with an optional port follows the scheme");
    rest.remove_prefix(path);
    auto const fragment = std::min(rest.find('#'), rest.size());
    if (!is_escaped_text(rest.substr(0, fragment), ":@/?") ||
        !is_escaped_text(rest.substr(std::min(fragment + 1, rest.size())), ":@/?"))
        return no_url("a character of the path, the query or the fragment must be percent-encoded, or a % has no two "
                      "hexadecimal digits after it");
    url u;
    u.text_ = text;
    return u;
}

result<std::string> converter<url>::to_property(url const& v) {
    if (v.empty())
        return fail(library_errc::value_out_of_range,
                    {.reason = "the url is empty; use std::optional<tablemap::url> for one that may be missing"});
    return v.text();
}

}  // namespace tablemap
