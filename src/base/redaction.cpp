// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/redaction.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace tablemap {
namespace {

constexpr std::string_view mask = "[redacted]";
constexpr std::string_view blanks = " \t";
constexpr std::string_view ends_of_value =
    " \t\r\n;&\"'<>,";                                  // of a parameter, in a URL, a connection string, JSON or XML
constexpr std::string_view ends_of_line = "\r\n\"'<>";  // of a header

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// True if `text` begins with this, whatever its case. Precondition: `word` is in lower case.
bool begins(std::string_view text, std::string_view word) noexcept {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(), [](char w, char c) { return w == lower(c); });
}

bool is_letter_or_digit(char c) noexcept {
    auto const l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9');
}

/// What base64 is made of, in either alphabet; an escape such as %2B counts as well.
bool is_base64(char c) noexcept {
    return is_letter_or_digit(c) || c == '+' || c == '/' || c == '-' || c == '_' || c == '%';
}

std::size_t length_until(std::string_view text, std::string_view ends) noexcept {
    return std::min(text.find_first_of(ends), text.size());
}

/// Something secret at the beginning of a text: what of it may stay, and how long all of it is.
struct secret {
    std::size_t name;
    std::size_t length;
};

/// `sig=…` and its like. A signature may stand in a URL that is itself encoded.
std::optional<secret> find_parameter(std::string_view text) {
    constexpr std::array<std::string_view, 8> names{
        "sig=",         "sig%3d",        "accountkey=",  "accountkey:", "sharedaccesssignature=",
        "access_token", "client_secret", "refresh_token"};
    constexpr std::string_view between = "=:\"' ";
    for (auto const name : names) {
        if (!begins(text, name)) continue;
        auto const from = std::min(text.find_first_not_of(between, name.size()), text.size());
        // A shared access signature is all of its parameters.
        auto const ends = name == "sharedaccesssignature=" ? " \t\r\n;\"'<>" : ends_of_value;
        auto const length = length_until(text.substr(from), ends);
        if (length > 0) return secret{from, from + length};
    }
    return std::nullopt;
}

/// A scheme of the header Authorization and its credentials, or that header with any other scheme.
std::optional<secret> find_authorization(std::string_view text) {
    constexpr std::array<std::string_view, 3> schemes{"sharedkeylite ", "sharedkey ", "bearer "};
    for (auto const scheme : schemes) {
        if (!begins(text, scheme)) continue;
        auto const length = length_until(text.substr(scheme.size()), " \t\r\n;\"'<>,");
        constexpr std::size_t shortest = 16;  // "the bearer token is missing" is no secret
        if (length >= shortest) return secret{scheme.size(), scheme.size() + length};
    }
    constexpr std::string_view header = "authorization";
    if (!begins(text, header)) return std::nullopt;
    auto const colon = text.find_first_not_of("\"' \t", header.size());
    if (colon == std::string_view::npos || (text[colon] != ':' && text[colon] != '=')) return std::nullopt;
    auto const from = text.find_first_not_of("\"' \t", colon + 1);
    if (from == std::string_view::npos) return std::nullopt;
    return secret{from, from + length_until(text.substr(from), ends_of_line)};
}

/// Header and claims of a JWT are JSON objects, whose base64 begins so.
std::optional<secret> find_token(std::string_view text) {
    if (!text.starts_with("eyJ")) return std::nullopt;
    auto const not_of_token = [](char c) { return !is_base64(c) && c != '.' && c != '='; };
    auto const end = std::find_if(text.begin(), text.end(), not_of_token);
    auto const length = static_cast<std::size_t>(end - text.begin());
    if (text.substr(0, length).find('.') == std::string_view::npos) return std::nullopt;
    return secret{0, length};
}

/// 32 or 64 bytes in base64, a HMAC or a key, standing alone. Escapes are counted as one character.
std::optional<secret> find_base64(std::string_view text) {
    std::size_t characters = 0, end = 0;
    bool mixed = false;
    for (; end < text.size() && is_base64(text[end]); ++characters) {
        mixed = mixed || !is_letter_or_digit(text[end]) || lower(text[end]) != text[end];
        end += text[end] == '%' ? 3U : 1U;
    }
    end = std::min(end, text.size());
    std::size_t padding = 0;
    while (text.substr(end).starts_with('=') || begins(text.substr(end), "%3d")) {
        end += text[end] == '=' ? 1U : 3U;
        ++padding;
    }
    for (auto const& [length, pad] : {std::pair{43u, 1u}, std::pair{86u, 2u}}) {
        // The escapes of the padding were counted as characters, too.
        bool const escaped = characters == length + pad && padding == 0;
        if (mixed && ((characters == length && padding == pad) || escaped)) return secret{0, end};
    }
    return std::nullopt;
}

std::optional<secret> find_secret(std::string_view text) {
    if (auto found = find_parameter(text)) return found;
    if (auto found = find_authorization(text)) return found;
    if (auto found = find_token(text)) return found;
    return find_base64(text);
}

}  // namespace

std::string redacted(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    bool in_word = false;  // secrets and their names begin with a word
    while (!text.empty()) {
        if (auto const found = in_word ? std::nullopt : find_secret(text)) {
            clean += text.substr(0, found->name);
            clean += mask;
            text.remove_prefix(found->length);
            in_word = false;
            continue;
        }
        bool const escape = text.front() == '%';  // what it stands for ends a word
        auto const length = escape ? std::min<std::size_t>(3, text.size()) : 1;
        in_word = !escape && is_base64(text.front());
        clean += text.substr(0, length);
        text.remove_prefix(length);
    }
    return clean;
}

}  // namespace tablemap
