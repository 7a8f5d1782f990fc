// SPDX-License-Identifier: Apache-2.0
#include "wire/json_scanner.hpp"

#include "base/words.hpp"
#include "tablemap/detail/wire/json_value.hpp"

#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char const* bad_text = "a text of the JSON has no end, a control character or an invalid escape";
constexpr char const* bad_number = "a number is not one of JSON, or no double holds it";

constexpr bool ends_value(char c) noexcept {
    switch (c) {
    case ',':
    case '}':
    case ']':
    case ' ':
    case '\n':
    case '\r':
    case '\t':
    case '\0': return true;
    default: return false;
    }
}

/// True for a number by the grammar of JSON (RFC 8259, section 6); from_chars accepts more.
bool is_json_number(std::string_view text) noexcept {
    auto const take_digits = [&] {
        std::size_t n = 0;
        while (n < text.size() && is_digit(text[n])) ++n;
        text.remove_prefix(n);
        return n;
    };
    if (text.starts_with('-')) text.remove_prefix(1);
    bool const zero = text.starts_with('0');
    if (auto const n = take_digits(); n == 0 || (zero && n > 1)) return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    if (text.starts_with('e') || text.starts_with('E')) {
        text.remove_prefix(1);
        if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
        if (take_digits() == 0) return false;
    }
    return text.empty();
}

template <class Number> bool is_all_of(std::string_view text, Number& to) noexcept {
    auto const* const last = text.data() + text.size();
    auto const [end, e] = std::from_chars(text.data(), last, to);
    return e == std::errc{} && end == last;
}

/// The code unit behind `\u`, which is taken away; nothing if it is not written in four digits.
std::optional<std::uint32_t> take_code_unit(std::string_view& text) noexcept {
    std::uint32_t unit = 0;
    if (text.size() < 4) return std::nullopt;
    for (char const c : text.substr(0, 4)) {
        if (!is_hex(c)) return std::nullopt;
        unit = unit << 4 | static_cast<std::uint32_t>(hex_value(c));
    }
    text.remove_prefix(4);
    return unit;
}

/// The character behind `\u`, for which two code units may be needed. Nothing for a surrogate alone.
std::optional<std::uint32_t> take_character(std::string_view& text) noexcept {
    auto const unit = take_code_unit(text);
    if (!unit || *unit < 0xD800 || *unit > 0xDFFF) return unit;
    if (*unit > 0xDBFF || !text.starts_with("\\u")) return std::nullopt;
    text.remove_prefix(2);
    auto const low = take_code_unit(text);
    if (!low || *low < 0xDC00 || *low > 0xDFFF) return std::nullopt;
    return 0x10000 + ((*unit - 0xD800) << 10 | (*low - 0xDC00));
}

char* put_utf8(char* to, std::uint32_t c) noexcept {
    auto const put = [&](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    auto const put_rest = [&](int bits) {
        for (; bits >= 0; bits -= 6) put(0x80 | (c >> bits & 0x3F));
    };
    if (c < 0x80)
        put(c);
    else if (c < 0x800)
        put(0xC0 | c >> 6), put_rest(0);
    else if (c < 0x10000)
        put(0xE0 | c >> 12), put_rest(6);
    else
        put(0xF0 | c >> 18), put_rest(12);
    return to;
}

/// The character that a letter behind a backslash stands for; NUL for no escape of JSON.
constexpr char meaning_of(char letter) noexcept {
    switch (letter) {
    case '"':
    case '\\':
    case '/': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
    }
}

/// Takes a backslash and what it escapes. Null for no escape of JSON.
char* put_escaped(char* to, std::string_view& text) noexcept {
    char const letter = text[1];
    text.remove_prefix(2);
    if (letter == 'u') {
        auto const c = take_character(text);
        return c ? put_utf8(to, *c) : nullptr;
    }
    *to = meaning_of(letter);
    return *to == '\0' ? nullptr : to + 1;
}

bool has_backslash(std::uint64_t word) noexcept {
    auto const differs = word ^ in_each_byte('\\');
    return ((differs - in_each_byte(1)) & ~differs & high_bits) != 0;
}

/// Takes the characters before a backslash. By words and bytes, since texts with escapes are mostly short: calls of
/// memchr and memmove would cost more.
char* put_plain(char* to, std::string_view& text) noexcept {
    for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
        auto const word = word_at<std::uint64_t>(text.data());
        if (has_backslash(word)) break;
        std::memcpy(to, &word, sizeof word);
        to += sizeof word;
    }
    for (; !text.empty() && text.front() != '\\'; text.remove_prefix(1)) *to++ = text.front();
    return to;
}

/// Returns the end of what was written, which is no longer than the source; null for an invalid escape. Behind each
/// backslash there is a character.
char* unescape(std::string_view text, char* to) noexcept {
    while (to && !text.empty()) {
        to = put_plain(to, text);
        if (!text.empty()) to = put_escaped(to, text);
    }
    return to;
}

}  // namespace

bool read_json_real(std::string_view text, double& to) noexcept { return is_json_number(text) && is_all_of(text, to); }

bool json_scanner::check_utf8(std::string_view text) noexcept {
    return utf16_length(text).has_value() || fail("the JSON is not UTF-8");
}

bool json_scanner::find_quote(text_stop& stop) noexcept {
    while (*stop.at == '\\' && end_ - stop.at > 1) {
        auto const high = stop.high;
        stop = find_text_stop(stop.at + 2, end_);
        stop.high |= high;
    }
    return *stop.at == '"' || fail(bad_text);
}

char* json_scanner::room_for_text(std::size_t size) {
    if (size <= short_texts_.size() - used_) return short_texts_.data() + std::exchange(used_, used_ + size);
    if (!long_texts_) long_texts_ = std::make_unique<std::pmr::monotonic_buffer_resource>();
    return static_cast<char*>(long_texts_->allocate(size, 1));
}

bool json_scanner::read_escaped(text_stop stop, std::string_view& to) {
    auto const* const first = at_;
    if (!find_quote(stop)) return false;
    at_ = stop.at + 1;
    std::string_view const source{first, static_cast<std::size_t>(stop.at - first)};
    auto* const begin = room_for_text(source.size());
    auto const* const end = unescape(source, begin);
    if (!end) return fail(bad_text);
    to = {begin, static_cast<std::size_t>(end - begin)};
    return stop.is_ascii() || check_utf8(to);  // escapes become valid UTF-8
}

bool json_scanner::pass_text() noexcept {
    if (!expect_quote()) return false;
    auto stop = find_text_stop(at_, end_);
    if (!find_quote(stop)) return false;
    at_ = stop.at + 1;
    return true;
}

bool json_scanner::read_number(json_token& to) noexcept {
    constexpr std::ptrdiff_t digits_that_fit = 18;
    auto const* const digits = at_ + (*at_ == '-');
    auto const* p = digits;
    std::int64_t n = 0;
    for (; is_digit(*p) && p - digits < digits_that_fit; ++p) n = n * 10 + (*p - '0');
    if (p == digits || (*digits == '0' && p - digits > 1) || !ends_value(*p)) return read_long_number(to);
    to.kind = json_token_kind::integer;
    to.integer = *at_ == '-' ? -n : n;
    at_ = p;
    return true;
}

bool json_scanner::read_long_number(json_token& to) noexcept {
    auto const* p = at_;
    while (!ends_value(*p)) ++p;
    std::string_view const text{at_, static_cast<std::size_t>(p - at_)};
    at_ = p;
    if (!is_json_number(text)) return fail(bad_number);
    bool const is_integer = is_all_of(text, to.integer);
    to.kind = is_integer ? json_token_kind::integer : json_token_kind::real;
    return is_integer || is_all_of(text, to.real) || fail(bad_number);
}

bool json_scanner::read_word(json_token& to, bool& is_null) noexcept {
    std::string_view const rest{at_, static_cast<std::size_t>(end_ - at_)};
    for (std::string_view const word : {"true", "false", "null"}) {
        if (!rest.starts_with(word) || !ends_value(at_[word.size()])) continue;
        to.kind = json_token_kind::boolean;
        to.boolean = word == "true";
        is_null = word == "null";
        at_ += word.size();
        return true;
    }
    bool const is_list = rest.starts_with('{') || rest.starts_with('[');
    return fail(is_list ? "a value is an array or an object" : "a value of the JSON is missing or none");
}

bool json_scanner::skip_value(std::size_t depth) {
    skip_blanks();
    if (*at_ == '{' || *at_ == '[') return skip_list(depth);
    json_token ignored;
    bool is_null = false;
    return read_scalar(ignored, is_null);
}

bool json_scanner::skip_list(std::size_t depth) {
    if (depth == deepest_json) return fail("the JSON has more than 64 levels");
    bool const is_object = *at_++ == '{';
    char const last = is_object ? '}' : ']';
    if (take(last)) return true;
    std::string_view name;
    do {
        if (is_object && (!read_text(name) || !expect(':'))) return false;
        if (!skip_value(depth + 1)) return false;
    } while (take(','));
    return expect(last);
}

}  // namespace tablemap::detail
