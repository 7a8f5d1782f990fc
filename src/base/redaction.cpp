// SPDX-License-Identifier: Apache-2.0
#include "tablemap/base/redaction.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

using detail::equal_ignoring_case;
using detail::is_digit;
using detail::is_hex;
using detail::is_letter_or_digit;
using detail::lower;
using detail::starts_with_ignoring_case;

constexpr std::string_view mask = "[redacted]";
constexpr std::string_view quotes_and_blanks = "\"' \t";
constexpr std::string_view ends_of_value =
    " \t\r\n;&\"'<>,";                                  // of a parameter, in a URL, a connection string, JSON or XML
constexpr std::string_view ends_of_line = "\r\n\"'<>";  // of a header

/// True for a character of base64, in either alphabet; an escape such as %2B counts as well.
bool is_base64(char c) noexcept {
    return is_letter_or_digit(c) || c == '+' || c == '/' || c == '-' || c == '_' || c == '%';
}

std::size_t length_until(std::string_view text, std::string_view ends) noexcept {
    return std::min(text.find_first_of(ends), text.size());
}

std::size_t length_of(std::string_view text, std::string_view characters) noexcept {
    return std::min(text.find_first_not_of(characters), text.size());
}

/// The length of an escape such as %26, which may be encoded again, as %2526 is; 1 for a per cent sign that begins
/// none, since a secret may follow it. Precondition: `text` begins with '%'.
std::size_t escape_length(std::string_view text) noexcept {
    std::size_t code = 1;
    while (text.substr(code, 2) == "25" && text.size() >= code + 4 && is_digit(text[code + 2])) code += 2;
    bool const complete = text.size() >= code + 2 && is_hex(text[code]) && is_hex(text[code + 1]);
    return complete ? code + 2 : 1;
}

/// The length of an equals sign, written as an escape or not; 0 if the text begins with something else.
std::size_t equals_length(std::string_view text) noexcept {
    if (text.starts_with('=')) return 1;
    if (!text.starts_with('%')) return 0;
    auto const length = escape_length(text);
    return length > 2 && equal_ignoring_case(text.substr(length - 2, 2), "3d") ? length : 0;
}

/// A secret at the beginning of a text: the length of the part that may stay, and the length of all of it.
struct secret {
    std::size_t name;
    std::size_t length;
};

std::optional<secret> value_at(std::string_view text, std::size_t from, std::string_view ends) {
    auto const length = length_until(text.substr(std::min(from, text.size())), ends);
    return length > 0 ? std::optional{secret{from, from + length}} : std::nullopt;
}

/// `sig=…` in a URL, which may itself be encoded.
std::optional<secret> find_signature(std::string_view text) {
    constexpr std::string_view name = "sig";
    if (!starts_with_ignoring_case(text, name)) return std::nullopt;
    auto const equals = equals_length(text.substr(name.size()));
    return equals == 0 ? std::nullopt : value_at(text, name.size() + equals, ends_of_value);
}

/// `AccountKey=…` and its like, in a connection string, a form or JSON.
std::optional<secret> find_parameter(std::string_view text) {
    constexpr std::array<std::string_view, 5> names{"accountkey", "sharedaccesssignature", "access_token",
                                                    "client_secret", "refresh_token"};
    for (auto const name : names) {
        if (!starts_with_ignoring_case(text, name)) continue;
        auto from = name.size() + length_of(text.substr(name.size()), quotes_and_blanks);
        auto const rest = text.substr(from);
        auto const sign = rest.starts_with(':') ? 1 : equals_length(rest);
        if (sign == 0) return std::nullopt;
        from += sign + length_of(rest.substr(sign), quotes_and_blanks);
        // A shared access signature is all of its parameters.
        return value_at(text, from, name == "sharedaccesssignature" ? " \t\r\n;\"'<>" : ends_of_value);
    }
    return std::nullopt;
}

/// A scheme of the header Authorization and its credentials, or that header with any other scheme.
std::optional<secret> find_authorization(std::string_view text) {
    constexpr std::array<std::string_view, 3> schemes{"sharedkeylite ", "sharedkey ", "bearer "};
    for (auto const scheme : schemes) {
        if (!starts_with_ignoring_case(text, scheme)) continue;
        auto const length = length_until(text.substr(scheme.size()), " \t\r\n;\"'<>,");
        constexpr std::size_t shortest = 16;  // "the bearer token is missing" is no secret
        if (length >= shortest) return secret{scheme.size(), scheme.size() + length};
    }
    constexpr std::string_view header = "authorization";
    if (!starts_with_ignoring_case(text, header)) return std::nullopt;
    auto const colon = header.size() + length_of(text.substr(header.size()), quotes_and_blanks);
    if (colon == text.size() || (text[colon] != ':' && text[colon] != '=')) return std::nullopt;
    return value_at(text, colon + 1 + length_of(text.substr(colon + 1), quotes_and_blanks), ends_of_line);
}

/// Name and password in a URL, in front of the host.
std::optional<secret> find_user(std::string_view text) {
    constexpr std::string_view scheme_end = "://";
    if (!text.starts_with(scheme_end)) return std::nullopt;
    auto const from = scheme_end.size();
    auto const at = text.substr(from, length_until(text.substr(from), "/?# \t\r\n\"'<>")).rfind('@');
    return at == std::string_view::npos ? std::nullopt : std::optional{secret{from, from + at}};
}

/// Header and claims of a JWT are JSON objects, whose base64 begins like this. `no_token_before` is the end of the text
/// that was searched already and holds no point: without it a text of many such beginnings would be searched from each
/// of them.
std::optional<secret> find_token(std::string_view text, char const*& no_token_before) {
    if (!text.starts_with("eyJ") || std::less<>{}(text.data(), no_token_before)) return std::nullopt;
    auto const not_of_token = [](char c) { return !is_base64(c) && c != '.' && c != '='; };
    auto const end = std::find_if(text.begin(), text.end(), not_of_token);
    auto const length = static_cast<std::size_t>(end - text.begin());
    if (text.substr(0, length).find('.') == std::string_view::npos) {
        no_token_before = text.data() + length;
        return std::nullopt;
    }
    return secret{0, length};
}

/// 32 or 64 bytes in base64, a HMAC or a key, standing alone. Escapes are counted as one character.
std::optional<secret> find_base64(std::string_view text) {
    constexpr std::size_t most = 88;  // characters of the longest, its padding among them
    std::size_t characters = 0, end = 0;
    bool mixed = false;
    for (; end < text.size() && is_base64(text[end]); ++characters) {
        if (characters > most) return std::nullopt;
        mixed = mixed || !is_letter_or_digit(text[end]) || lower(text[end]) != text[end];
        end += text[end] == '%' ? escape_length(text.substr(end)) : 1U;
    }
    end = std::min(end, text.size());
    std::size_t padding = 0;
    for (std::size_t length = 0; padding <= 2 && (length = equals_length(text.substr(end))) > 0; ++padding)
        end += length;
    for (auto const& [length, pad] : {std::pair{43u, 1u}, std::pair{86u, 2u}}) {
        // The escapes of the padding were counted as characters, too.
        bool const escaped = characters == length + pad && padding == 0;
        if (mixed && ((characters == length && padding == pad) || escaped)) return secret{0, end};
    }
    return std::nullopt;
}

/// A secret at the beginning of a text, judged by the character in front: names begin where no letter or digit precedes
/// them, and base64 where none of its own characters does.
std::optional<secret> find_secret(std::string_view text, bool in_word, bool in_base64, char const*& no_token_before) {
    if (auto found = find_user(text)) return found;
    if (in_word) return std::nullopt;
    if (auto found = find_signature(text)) return found;
    if (auto found = find_parameter(text)) return found;
    if (auto found = find_authorization(text)) return found;
    if (in_base64) return std::nullopt;
    if (auto found = find_token(text, no_token_before)) return found;
    return find_base64(text);
}

}  // namespace

std::string redacted(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    bool in_word = false, in_base64 = false;
    char const* no_token_before = text.data();
    while (!text.empty()) {
        if (auto const found = find_secret(text, in_word, in_base64, no_token_before)) {
            clean += text.substr(0, found->name);
            clean += mask;
            text.remove_prefix(found->length);
            in_word = in_base64 = false;
            continue;
        }
        bool const escape = text.front() == '%';  // the character that it stands for ends a word
        auto const length = escape ? escape_length(text) : 1;
        in_word = is_letter_or_digit(text.front());
        in_base64 = !escape && is_base64(text.front());
        clean += text.substr(0, length);
        text.remove_prefix(length);
    }
    return clean;
}

}  // namespace tablemap
