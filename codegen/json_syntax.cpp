// SPDX-License-Identifier: Apache-2.0
#include "json_syntax.hpp"

#include <tablemap/detail/base/utf.hpp>

#include <algorithm>
#include <utility>

namespace tablemap::codegen {
namespace {

/// Far deeper than a schema needs, and far less than the stack allows.
constexpr std::size_t deepest = 32;

constexpr char const* ends_early = "the schema ends here, and not all brackets are closed; close them";
constexpr std::string_view digits = "0123456789";
constexpr std::string_view word_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-.";

/// Each character is checked by itself, which finds the first wrong one.
std::optional<std::size_t> find_no_utf8(std::string_view text) {
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        for (next = at + 1; next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0U) == 0x80U;) ++next;
        if (!tablemap::detail::utf16_length(text.substr(at, next - at))) return at;
    }
    return std::nullopt;
}

/// Reads JSON up to the first syntax error. Each `skip_` function returns false if it finds one.
class syntax_scan {
public:
    explicit syntax_scan(std::string_view text) : text_(text) {}

    std::optional<syntax_fault> run() {
        if (skip_value(0) && skip_space() && !is_at_end())
            refuse(at_, "something follows the end of the schema; remove it");
        return std::move(fault_);
    }

private:
    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool is_at_end() const { return at_ == text_.size(); }
    bool is_next(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    bool refuse(std::size_t offset, std::string text) {
        fault_ = {offset, std::move(text)};
        return false;
    }

    bool skip_space() {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
        if (is_next("//") || is_next("/*") || is_next("#"))
            return refuse(at_, "JSON has no comments; remove this one, or make it a \"description\"");
        return true;
    }

    bool skip_value(std::size_t depth) {
        if (!skip_space()) return false;
        if (depth == deepest) return refuse(at_, "this is nested too deeply for a schema");
        if (next() == '{') return skip_object(depth);
        if (next() == '[') return skip_array(depth);
        if (next() == '"') return skip_text();
        if (next() == '-' || digits.find(next()) != std::string_view::npos) return skip_number();
        for (std::string_view const word : {"true", "false", "null"})
            if (next_word() == word) {
                at_ += word.size();
                return true;
            }
        return refuse_value();
    }

    std::string_view next_word() const {
        auto const end = std::min(text_.find_first_not_of(word_letters, at_), text_.size());
        return text_.substr(at_, end - at_);
    }

    bool refuse_value() {
        if (is_at_end()) return refuse(at_, opened_ ? ends_early : "the schema is empty; write an object, {...}");
        if (next() == '\'') return refuse(at_, "text stands in double quotes; write \" instead of '");
        if (next() == ',') return refuse(at_, "a comma with no value before it; remove it, or write the value");
        if (next() == ']' || next() == '}') return refuse(at_, "a value is missing before this; write it");
        return refuse(at_, "this is no value of JSON: an object, an array, a text in double quotes, a number, true, "
                           "false or null; write one of those");
    }

    bool skip_array(std::size_t depth) {
        return skip_list(']', [&] { return skip_value(depth + 1); });
    }

    bool skip_object(std::size_t depth) {
        return skip_list('}', [&] {
            if (next() != '"')
                return refuse(at_, is_at_end() ? ends_early : "a key is a text in double quotes; write \"key\": value");
            if (!skip_text() || !skip_space()) return false;
            if (next() != ':')
                return refuse(at_, "a colon is missing before this, between a key and its value; add it");
            ++at_;
            return skip_value(depth + 1);
        });
    }

    /// Skips the inside of brackets: elements with commas between them.
    template <class Skip> bool skip_list(char close, Skip skip_element) {
        opened_ = true;
        ++at_;
        if (!skip_space()) return false;
        while (next() != close) {
            if (!skip_element()) return false;
            auto const end = at_;
            if (!skip_space()) return false;
            if (next() == close) break;
            if (next() != ',') return refuse_separator(close, end);
            auto const comma = at_++;
            if (!skip_space()) return false;
            if (next() == close) return refuse(comma, "a comma with nothing after it; remove it");
        }
        ++at_;
        return true;
    }

    /// `end`: the end of the element before.
    bool refuse_separator(char close, std::size_t end) {
        if (is_at_end()) return refuse(at_, ends_early);
        if (next() == ']' || next() == '}')
            return refuse(at_, std::string{"this closes another bracket than the last open one; write '"} + close +
                                   "' before it, or remove it");
        if (std::string_view{"\"'{[-"}.find(next()) == std::string_view::npos && next_word().empty())
            return refuse(at_, std::string{"a comma or '"} + close + "' is expected here; remove what stands there");
        return refuse(end, "a comma is missing here; add it");
    }

    bool skip_text() {
        auto const begin = at_++;
        while (next() != '"' || is_at_end()) {
            if (is_at_end() || next() == '\n' || next() == '\r')
                return refuse(begin, "this text is not closed on its line; add the second \", and write a line break "
                                     "as \\n");
            if (static_cast<unsigned char>(next()) < 0x20)
                return refuse(at_, "a text cannot hold a tab or another control character; write it as \\t or \\u00XX");
            if (next() != '\\')
                ++at_;
            else if (!skip_escape())
                return false;
        }
        ++at_;
        return true;
    }

    bool skip_escape() {
        auto const begin = at_++;
        constexpr std::string_view letters = "\"\\/bfnrtu";
        if (is_at_end() || letters.find(next()) == std::string_view::npos)
            return refuse(begin, "there is no such escape; a backslash in a text is written \\\\");
        if (text_[at_++] != 'u') return true;
        auto const unit = hex_at(at_);
        if (!unit) return refuse(begin, "\\u is followed by four hexadecimal digits; write them");
        at_ += 4;
        if (*unit < 0xD800 || *unit > 0xDFFF) return true;
        auto const low = is_next("\\u") ? hex_at(at_ + 2).value_or(0) : 0;
        if (*unit > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
            return refuse(begin, "this is half a character of UTF-16; write both halves, or the character itself");
        at_ += 6;
        return true;
    }

    std::optional<unsigned> hex_at(std::size_t at) const {
        unsigned value = 0;
        for (std::size_t i = at; i < at + 4; ++i) {
            constexpr std::string_view known = "0123456789abcdefABCDEF";
            auto const found = i < text_.size() ? known.find(text_[i]) : std::string_view::npos;
            if (found == std::string_view::npos) return std::nullopt;
            value = value * 16 + static_cast<unsigned>(found < 16 ? found : found - 6);
        }
        return value;
    }

    bool skip_number() {
        auto const word = next_word();
        auto rest = word;
        auto const skip_digits = [&] {
            auto const end = std::min(rest.find_first_not_of(digits), rest.size());
            rest.remove_prefix(end);
            return end;
        };
        auto const skip_one_of = [&](std::string_view letters) {
            bool const there = !rest.empty() && letters.find(rest.front()) != std::string_view::npos;
            if (there) rest.remove_prefix(1);
            return there;
        };
        skip_one_of("-");
        bool const leads_with_zero = rest.starts_with('0');
        auto const whole = skip_digits();
        bool right = whole == 1 || (whole > 1 && !leads_with_zero);
        if (skip_one_of(".")) right = skip_digits() > 0 && right;
        if (skip_one_of("eE")) {
            skip_one_of("+-");
            right = skip_digits() > 0 && right;
        }
        if (!right || !rest.empty())
            return refuse(at_,
                          "this is no number as JSON writes it; leave out zeros in front, and write digits on both "
                          "sides of a point");
        at_ += word.size();
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool opened_ = false;  ///< there was a bracket
    std::optional<syntax_fault> fault_{};
};

}  // namespace

std::optional<syntax_fault> find_syntax_fault(std::string_view text) {
    if (auto const at = find_no_utf8(text))
        return syntax_fault{*at, "this is no UTF-8, in which a schema is written; save the file as UTF-8"};
    return syntax_scan{text}.run();
}

}  // namespace tablemap::codegen
