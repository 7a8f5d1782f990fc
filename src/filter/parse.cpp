// SPDX-License-Identifier: Apache-2.0
#include "tablemap/filter/parse.hpp"

#include "base/ascii.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/edm/names.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace tablemap::inline v0_1::filter {
namespace {

using tablemap::detail::hex_value;
using tablemap::detail::is_blank;
using tablemap::detail::is_digit;

constexpr bool is_word(char c) noexcept {
    return tablemap::detail::is_letter_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::optional<bytes> read_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    bytes out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        int const high = hex_value(text[i]), low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out.push_back(static_cast<std::byte>(high * 16 + low));
    }
    return out;
}

std::optional<comparison_operator> operator_of(std::string_view word) noexcept {
    using enum comparison_operator;
    if (word == "eq") return eq;
    if (word == "ne") return ne;
    if (word == "lt") return lt;
    if (word == "le") return le;
    if (word == "gt") return gt;
    if (word == "ge") return ge;
    return std::nullopt;
}

/// The operator after its operands are swapped: `5 lt A` is `A gt 5`.
comparison_operator seen_from_the_right(comparison_operator op) noexcept {
    using enum comparison_operator;
    switch (op) {
    case lt: return gt;
    case le: return ge;
    case gt: return lt;
    case ge: return le;
    default: return op;
    }
}

std::optional<bool> truth_value(std::string_view word) {
    auto const folded = tablemap::detail::lower_case(word);
    if (folded == "true") return true;
    if (folded == "false") return false;
    return std::nullopt;
}

std::optional<property_value> word_value(std::string_view word) {
    if (auto const truth = truth_value(word)) return *truth;
    if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (word == "INF" || word == "Infinity") return std::numeric_limits<double>::infinity();
    return std::nullopt;
}

constexpr bool is_prefix_of_literal(std::string_view word) noexcept {
    return word == "datetime" || word == "guid" || word == "X" || word == "binary";
}

bool has_meaning(std::string_view word) noexcept {
    return word == "and" || word == "or" || word == "not" || operator_of(word) || word_value(word);
}

constexpr auto expected_comparison = "a comparison, a boolean property, true, false, not, or (";
constexpr auto expected_operator = "one of eq, ne, lt, le, gt and ge";
constexpr auto expected_literal = "a literal";

class parser {
public:
    parser(std::string_view text, std::span<property_value const> values) : text_(text), values_(values) {}

    result<expression> whole() {
        auto e = disjunctions();
        if (!e) return e;
        skip_blanks();
        if (at_ != text_.size()) return expected("an operator or the end of the filter");
        if (used_ != values_.size()) return fault("there are more values than {}");
        return e;
    }

private:
    static failure fault(std::string reason) {
        return fail(library_errc::invalid_filter, {.reason = std::move(reason)});
    }
    static failure expected_at(std::size_t at, std::string_view what) {
        std::string reason{"expected "};
        return fault(reason.append(what).append(" at offset ").append(std::to_string(at)));
    }
    failure expected(std::string_view what) const { return expected_at(at_, what); }
    static failure too_much(std::string_view what, std::size_t most) {
        std::string reason{"a filter has at most "};
        return fault(reason.append(std::to_string(most)).append(what));
    }

    // ---- characters and words ---------------------------------------------------------------------------------------

    char peek(std::size_t at) const noexcept { return at < text_.size() ? text_[at] : '\0'; }
    void skip_blanks() noexcept { at_ = behind_blanks(at_); }
    std::size_t behind_blanks(std::size_t at) const noexcept {
        while (at < text_.size() && is_blank(text_[at])) ++at;
        return at;
    }

    /// The word at this place; empty if there is none.
    std::string_view word_at(std::size_t at) const noexcept {
        if (is_digit(peek(at))) return {};
        auto end = at;
        while (end < text_.size() && is_word(text_[end])) ++end;
        return text_.substr(at, end - at);
    }

    bool take_word(std::string_view word) noexcept {
        skip_blanks();
        if (word_at(at_) != word) return false;
        at_ += word.size();
        return true;
    }

    std::optional<comparison_operator> take_operator() noexcept {
        skip_blanks();
        auto const word = word_at(at_);
        auto const op = operator_of(word);
        if (op) at_ += word.size();
        return op;
    }

    bool is_literal_at(std::size_t at) const {
        char const c = peek(at);
        if (c == '\'' || c == '-' || c == '{' || is_digit(c)) return true;
        auto const word = word_at(at);
        return (is_prefix_of_literal(word) && peek(at + word.size()) == '\'') || word_value(word);
    }

    bool is_operator_at(std::size_t at) const { return operator_of(word_at(behind_blanks(at))).has_value(); }

    /// True if a word is followed by an operator and a literal. It is a property then, whatever it means elsewhere:
    /// names such as `not` and `true` are legal.
    bool is_compared(std::size_t behind_word) const {
        auto const at = behind_blanks(behind_word);
        auto const word = word_at(at);
        return operator_of(word) && is_literal_at(behind_blanks(at + word.size()));
    }

    // ---- expressions ------------------------------------------------------------------------------------------------

    result<expression> disjunctions() { return chain<disjunction>("or", &parser::conjunctions); }
    result<expression> conjunctions() { return chain<conjunction>("and", &parser::operand); }

    template <class Node> result<expression> chain(std::string_view between, result<expression> (parser::*next)()) {
        auto left = (this->*next)();
        while (left && take_word(between)) {
            auto right = (this->*next)();
            if (!right) return right;
            left = expression{Node{*std::move(left), *std::move(right)}};
        }
        return left;
    }

    result<expression> operand() {
        skip_blanks();
        if (peek(at_) == '(') return nested([this] { return parenthesis(); });
        auto const word = word_at(at_);
        auto const behind = at_ + word.size();
        if (!word.empty() && peek(behind) != '\'') {
            if (is_compared(behind)) return property_first(word);
            if (word == "not") {
                at_ = behind;
                return nested([this] { return negated(); });
            }
            if (!has_meaning(word)) return property_first(word);
            if (auto const truth = truth_value(word); truth && !is_operator_at(behind)) return constant(word, *truth);
        }
        if (!is_literal_at(at_)) return expected(expected_comparison);
        return literal_first();
    }

    /// A comparison that is always true or always false, so that the tree needs no node for constants: every partition
    /// key is at or above the empty one.
    result<expression> constant(std::string_view word, bool truth) {
        at_ += word.size();
        using enum comparison_operator;
        return compared(partition_key_name, truth ? ge : lt, std::string{});
    }

    /// Reads the inside of a parenthesis or a `not`, unless it is nested too deep.
    template <class Read> result<expression> nested(Read read) {
        if (++depth_ > deepest_nesting) return too_much(" parentheses and nots within each other", deepest_nesting);
        auto e = read();
        --depth_;
        return e;
    }

    result<expression> parenthesis() {
        ++at_;
        auto e = disjunctions();
        if (!e) return e;
        skip_blanks();
        if (peek(at_) != ')') return expected("an operator or )");
        ++at_;
        return e;
    }

    result<expression> negated() {
        auto e = operand();
        if (!e) return e;
        return expression{negation{*std::move(e)}};
    }

    result<expression> property_first(std::string_view property) {
        at_ += property.size();
        auto const op = take_operator();
        if (!op) return compared(property, comparison_operator::eq, true);
        auto value = literal();
        if (!value) return failure{value.error()};
        return compared(property, *op, *std::move(value));
    }

    result<expression> literal_first() {
        auto value = literal();
        if (!value) return failure{value.error()};
        auto const op = take_operator();
        if (!op) return expected(expected_operator);
        skip_blanks();
        auto const property = word_at(at_);
        if (property.empty() || peek(at_ + property.size()) == '\'') return expected("a property");
        at_ += property.size();
        return compared(property, seen_from_the_right(*op), *std::move(value));
    }

    result<expression> compared(std::string_view property, comparison_operator op, property_value value) {
        if (++comparisons_ > most_comparisons) return too_much(" comparisons", most_comparisons);
        return expression{comparison{std::string{property}, op, std::move(value)}};
    }

    // ---- literals ---------------------------------------------------------------------------------------------------

    result<property_value> literal() {
        skip_blanks();
        char const c = peek(at_);
        if (c == '{') return placeholder();
        if (c == '\'') return quoted();
        if (c == '-' || is_digit(c)) return number();
        auto const word = word_at(at_);
        if (auto const v = word_value(word)) {
            at_ += word.size();
            return *v;
        }
        if (!is_prefix_of_literal(word) || peek(at_ + word.size()) != '\'') return expected(expected_literal);
        return prefixed(word);
    }

    result<property_value> placeholder() {
        if (peek(at_ + 1) != '}') return expected(expected_literal);
        if (used_ == values_.size()) return fault("there is no value for {} at offset " + std::to_string(at_));
        at_ += 2;
        return values_[used_++];
    }

    result<std::string> quoted() {
        std::string out;
        for (auto from = ++at_;; from = ++at_) {
            at_ = text_.find('\'', from);
            if (at_ == std::string_view::npos) return expected_at(text_.size(), "a quote that ends the literal");
            out += text_.substr(from, at_ - from);
            if (peek(++at_) != '\'') return out;
            out += '\'';
        }
    }

    result<property_value> prefixed(std::string_view prefix) {
        auto const start = at_;
        at_ += prefix.size();
        auto const text = quoted();
        if (!text) return failure{text.error()};
        if (prefix == "datetime") {
            ticks t;
            if (!tablemap::detail::parse_ticks(*text, t))
                return expected_at(start, "a UTC time such as datetime'2024-01-01T00:00:00.1234567Z'");
            return t;
        }
        if (prefix == "guid") {
            guid g;
            if (!tablemap::detail::parse_guid(*text, g))
                return expected_at(start, "a guid such as guid'c9da6455-213d-42c9-9a79-3e9149a57833'");
            return g;
        }
        auto data = read_hex(*text);
        if (!data) return expected_at(start, "an even number of hexadecimal digits in the binary");
        return *std::move(data);
    }

    result<property_value> number() {
        auto const start = at_;
        bool const negative = peek(at_) == '-';
        if (negative) ++at_;
        if (auto const word = word_at(at_); !word.empty()) {
            auto const v = word_value(word);
            auto const* real = v ? std::get_if<double>(&*v) : nullptr;
            if (!real || !negative || std::isnan(*real)) return expected_at(start, "a number");
            at_ += word.size();
            return -*real;
        }
        if (!digits()) return expected_at(start, "a number");
        bool real = false;
        if (peek(at_) == '.') {
            real = true;
            ++at_;
            if (!digits()) return expected("a digit");
        }
        if (peek(at_) == 'e' || peek(at_) == 'E') {
            real = true;
            ++at_;
            if (peek(at_) == '+' || peek(at_) == '-') ++at_;
            if (!digits()) return expected("a digit");
        }
        auto const text = text_.substr(start, at_ - start);
        bool const wide = !real && peek(at_) == 'L';
        if (wide) ++at_;
        if (is_word(peek(at_)) || peek(at_) == '.') return expected("the end of the number");
        if (real) return number_of<double>(text, start, "a number that Edm.Double can hold");
        if (wide) return number_of<std::int64_t>(text, start, "a number that Edm.Int64 can hold");
        return number_of<std::int32_t>(text, start, "a number that Edm.Int32 can hold, or one with L behind it");
    }

    bool digits() noexcept {
        auto const start = at_;
        while (is_digit(peek(at_))) ++at_;
        return at_ != start;
    }

    template <class T>
    static result<property_value> number_of(std::string_view text, std::size_t at, std::string_view what) {
        T value{};
        auto const r = std::from_chars(text.data(), text.data() + text.size(), value);
        if (r.ec != std::errc{} || r.ptr != text.data() + text.size()) return expected_at(at, what);
        return value;
    }

    std::string_view text_;
    std::span<property_value const> values_;
    std::size_t at_ = 0;
    std::size_t used_ = 0;
    std::size_t depth_ = 0;
    std::size_t comparisons_ = 0;
};

}  // namespace

result<expression> parse(std::string_view text) { return parse(text, {}); }

result<expression> parse(std::string_view text, std::span<property_value const> values) {
    if (text.size() > longest_text)
        return fail(library_errc::invalid_filter, {.reason = "a filter has at most 256 KiB"});
    if (!tablemap::detail::utf16_length(text))
        return fail(library_errc::invalid_filter, {.reason = "a filter must be valid UTF-8"});
    return parser{text, values}.whole();
}

}  // namespace tablemap::filter
