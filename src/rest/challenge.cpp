// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/rest/token_cache.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

void skip(std::string_view& text, std::string_view characters) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

std::string_view take_until(std::string_view& text, std::string_view characters) noexcept {
    auto const end = std::min(text.find_first_of(characters), text.size());
    auto const taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
}

/// A quoted text, behind its first quote.
std::string take_quoted(std::string_view& text) {
    std::string out;
    while (!text.empty() && text.front() != '"') {
        if (text.front() == '\\' && text.size() > 1) text.remove_prefix(1);
        out += text.front();
        text.remove_prefix(1);
    }
    if (!text.empty()) text.remove_prefix(1);
    return out;
}

constexpr std::size_t longest_tenant = 253;  // as a domain's name may be

/// True of the id or the domain of a tenant. Dots alone would lead elsewhere in the URL that a program makes of it.
bool is_tenant(std::string_view text) noexcept {
    return text.size() <= longest_tenant && text.find_first_not_of('.') != std::string_view::npos &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.'; });
}

/// The first segment of a URL's path, if it may be the name of a tenant.
std::string tenant_of(std::string_view url) {
    auto const scheme = url.find("://");
    if (scheme == std::string_view::npos) return {};
    url.remove_prefix(scheme + 3);
    take_until(url, "/");
    skip(url, "/");
    auto const segment = take_until(url, "/?#");
    return is_tenant(segment) ? std::string{segment} : std::string{};
}

}  // namespace

std::optional<challenge> parse_challenge(std::string_view text) {
    constexpr std::string_view between = " \t,";
    std::optional<challenge> found;
    bool in_bearer = false;
    for (skip(text, between); !text.empty(); skip(text, between)) {
        auto const word = take_until(text, " \t,=");
        auto after = text;
        skip(after, " \t");
        if (!after.starts_with('=')) {  // the next scheme
            if (found) break;
            in_bearer = equal_ignoring_case(word, "Bearer");
            if (in_bearer) found.emplace();
            continue;
        }
        text = after.substr(1);
        skip(text, " \t");
        std::string value;
        if (text.starts_with('"')) {
            text.remove_prefix(1);
            value = take_quoted(text);
        } else {
            value = take_until(text, between);
        }
        if (!in_bearer) continue;
        if (equal_ignoring_case(word, "authorization_uri") || equal_ignoring_case(word, "authorization"))
            found->tenant = tenant_of(value);
        if (equal_ignoring_case(word, "resource_id") || equal_ignoring_case(word, "resource")) found->resource = value;
        if (equal_ignoring_case(word, "claims")) found->claims = value;
    }
    return found;
}

}  // namespace tablemap::detail
