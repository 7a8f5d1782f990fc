// SPDX-License-Identifier: Apache-2.0
#include "inspect/part_finding.hpp"

#include "base/ascii.hpp"
#include "inspect/key_text.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>

namespace tablemap::inline v0_1::inspect {
namespace {

constexpr std::string_view separators = "_-|~:;.";
constexpr std::string_view text_ends = "_|~;";                       ///< those that seldom stand within a value
constexpr std::string_view number_ends = "-:";                       ///< those that are taken before a number only
constexpr std::int64_t first_likely_time = 599'266'080'000'000'000;  // 1900
constexpr std::int64_t last_likely_time = 693'937'152'000'000'000;   // 2200
constexpr std::size_t most_int32_digits = 9;
constexpr std::size_t most_int64_digits = 18;

using text_column = std::vector<std::string_view>;

bool is_word(char c) noexcept { return detail::is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80; }

std::size_t count_leading_digits(std::string_view text) noexcept {
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

/// "2024-02-28…", "10.2…", "10:15…": digits that are no number by themselves.
bool is_more_than_number(std::string_view text) noexcept {
    auto const digits = count_leading_digits(text);
    auto const next = text.substr(digits);
    if (digits == 0 || next.size() < 2 || !detail::is_digit(next[1])) return false;
    bool const date = digits == 4 && next[0] == '-' && count_leading_digits(next.substr(1)) == 2;
    return date || next[0] == '.' || next[0] == ':';
}

bool is_integer_text(std::string_view text) noexcept {
    std::int64_t value = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), value);
    return e == std::errc{} && end == text.data() + text.size() && std::to_string(value) == text;
}

std::string_view common_beginning(text_column const& all) noexcept {
    auto const [least, greatest] = std::minmax_element(all.begin(), all.end());
    auto const differs = std::mismatch(least->begin(), least->end(), greatest->begin(), greatest->end());
    return least->substr(0, static_cast<std::size_t>(differs.first - least->begin()));
}

key_shape_part literal_part(std::string_view text) {
    key_shape_part p;
    p.literal = text;
    return p;
}

key_shape_part value_part(value_kind kind, text_form form = text_form::plain, bool descending = false) {
    key_shape_part p;
    p.kind = kind;
    p.form = form;
    p.descending = descending;
    return p;
}

key_shape_part number_part(std::size_t digits, bool fits_int64) {
    auto const small = digits <= most_int32_digits ? value_kind::int32 : value_kind::int64;
    auto p = value_part(fits_int64 ? small : value_kind::uint64, text_form::width);
    p.number = digits;
    return p;
}

/// Finds the parts from left to right. `rest_` is what is behind them in each text.
class part_finder {
public:
    explicit part_finder(text_column texts) : rest_(std::move(texts)) {}

    key_shape find(std::string_view beginning) {
        if (!beginning.empty()) take(literal_part(beginning), beginning.size());
        if (beginning.empty()) take_words();
        while (!is_end() && found_.size() + 2 < most_parts)
            if (!take_separators() && !take_form() && !take_open()) take_last();
        if (!is_end()) take_last();
        if (found_.empty()) found_.push_back(literal_part({}));
        return std::move(found_);
    }

private:
    bool is_end() const {
        return std::ranges::all_of(rest_, [](auto t) { return t.empty(); });
    }
    bool is_constant() const { return common_beginning(rest_) == rest_.front() && rest_.front() == longest(); }
    std::string_view longest() const { return *std::ranges::max_element(rest_, {}, &std::string_view::size); }

    void take(key_shape_part part, std::size_t length) {
        found_.push_back(std::move(part));
        for (auto& t : rest_) t.remove_prefix(length);
    }

    // ---- literals ---------------------------------------------------------------------------------------------------

    /// Words and separators with which all keys begin. Keys that are all the same need not be so for ever: only what
    /// stands before a number is taken there.
    void take_words() {
        auto const common = common_beginning(rest_);
        auto const end = is_constant() ? common.find_first_of("0123456789") : common.size();
        if (end > common.size()) return;
        auto length = words_of(common.substr(0, end));
        if (is_constant() && length != end) return;
        if (length == 0) length = letters_before_padded_numbers(common);
        if (length > 0) take(literal_part(rest_.front().substr(0, length)), length);
    }

    /// The length of the words that end with a separator.
    static std::size_t words_of(std::string_view text) {
        std::size_t length = 0;
        auto const is_good = [](char c) { return detail::is_letter(c) || is_separator(c); };
        for (std::size_t i = 0; i < text.size() && is_good(text[i]) && detail::is_letter(text[0]); ++i)
            if (is_separator(text[i]) && text[i] != '.') length = i + 1;
        return length;
    }

    std::size_t letters_before_padded_numbers(std::string_view common) const {
        auto const length =
            static_cast<std::size_t>(std::ranges::find_if_not(common, detail::is_letter) - common.begin());
        auto const size = rest_.front().size();
        bool const numbers = std::ranges::all_of(rest_, [&](auto t) {
            return t.size() == size && size > length + 1 && count_leading_digits(t.substr(length)) == size - length;
        });
        bool const padded = std::ranges::any_of(rest_, [&](auto t) { return t.substr(length).starts_with('0'); });
        return numbers && padded ? length : 0;
    }

    bool take_separators() {
        if (found_.empty() || found_.back().kind == value_kind::literal) return false;
        auto const common = common_beginning(rest_);
        auto const end = std::ranges::find_if_not(common, is_separator);
        auto const length = static_cast<std::size_t>(end - common.begin());
        if (length > 0) take(literal_part(common.substr(0, length)), length);
        return length > 0;
    }

    // ---- parts that show their own end ------------------------------------------------------------------------------

    bool take_form() {
        for (auto const& p : forms())
            if (is_form(p)) return take_by_layout(p), true;
        return false;
    }

    std::vector<key_shape_part> forms() const {
        using enum value_kind;
        std::vector<key_shape_part> all{value_part(id)};
        for (auto const kind : {time, int64, int32}) {
            all.push_back(value_part(kind, kind == time ? text_form::plain : text_form::ordered));
            all.push_back(value_part(kind, text_form::plain, true));
        }
        if (auto const digits = common_digits(); digits > 0) {
            if (digits <= most_int64_digits + 1) all.push_back(number_part(digits, true));
            all.push_back(number_part(digits, false));
        }
        all.push_back(value_part(text, text_form::plain, true));
        return all;
    }

    /// The digits of numbers that are padded: all have as many, and one begins with a zero.
    std::size_t common_digits() const {
        auto const digits = count_leading_digits(rest_.front());
        bool const same = std::ranges::all_of(rest_, [&](auto t) { return count_leading_digits(t) == digits; });
        bool const padded = std::ranges::any_of(rest_, [](auto t) { return t.starts_with('0'); });
        bool const alone =
            std::ranges::all_of(rest_, [&](auto t) { return t.size() == digits || !is_word(t[digits]); });
        return same && padded && alone && digits > 1 && digits <= 20 ? digits : 0;
    }

    bool is_form(key_shape_part const& p) const {
        auto const layout = layout_of(p);
        bool const is_number = layout.kind != detail::part_kind::text;
        std::size_t likely = 0;
        for (auto const t : rest_) {
            if (is_number && is_more_than_number(t)) return false;
            auto const length = detail::length_of_part(layout, t);
            if (length > t.size() || (is_number && length < t.size() && is_word(t[length]))) return false;
            auto const value = read_value(layout, t.substr(0, length));
            if (!value || !is_possible(p, *value)) return false;
            if (static_cast<std::int64_t>(value->number) >= 0) ++likely;
        }
        return likely * 2 > rest_.size() || p.kind == value_kind::uint64;
    }

    /// Many digits are a time or an ordered number only if the value is one that programs have.
    static bool is_possible(key_shape_part const& p, key_value const& value) {
        auto const number = static_cast<std::int64_t>(value.number);
        if (p.kind == value_kind::time) return number >= first_likely_time && number <= last_likely_time;
        if (p.kind == value_kind::text) return !value.text.empty();
        if (p.form == text_form::width || p.kind == value_kind::id) return true;
        auto const most = p.kind == value_kind::int32 ? std::int64_t{100'000'000} : std::int64_t{1} << 60U;
        return number > -most && number < most;
    }

    void take_by_layout(key_shape_part part) {
        auto const layout = layout_of(part);
        for (auto& t : rest_) t.remove_prefix(detail::length_of_part(layout, t));
        found_.push_back(std::move(part));
    }

    // ---- parts that a separator ends --------------------------------------------------------------------------------

    bool take_open() {
        if (take_escaped()) return true;
        if (is_constant()) return false;
        for (char const c : text_ends)
            if (is_end_of_part(c)) return take_before(c), true;
        if (std::ranges::any_of(rest_, is_more_than_number)) return false;
        for (char const c : number_ends)
            if (is_end_of_part(c) && is_before_number(c)) return take_before(c), true;
        return false;
    }

    bool take_escaped() {
        auto part = value_part(value_kind::text, text_form::escaped);
        auto layout = layout_of(part);
        layout.terminated = true;
        auto const is_escaped = [&](auto t) {
            auto const length = detail::length_of_part(layout, t);
            return length < t.size() && read_value(layout, t.substr(0, length)).has_value();
        };
        if (!std::ranges::all_of(rest_, is_escaped)) return false;
        for (auto& t : rest_) t.remove_prefix(detail::length_of_part(layout, t));
        found_.push_back(std::move(part));
        return true;
    }

    /// True if each rest has this character as often as all others, and something before it.
    bool is_end_of_part(char c) const {
        auto const often = std::ranges::count(rest_.front(), c);
        return often > 0 && std::ranges::all_of(
                                rest_, [&](auto t) { return !t.starts_with(c) && std::ranges::count(t, c) == often; });
    }

    bool is_before_number(char c) const {
        auto const behind = [&](std::string_view t) { return count_leading_digits(t.substr(t.find(c) + 1)); };
        auto const digits = behind(rest_.front());
        return digits >= 3 && std::ranges::all_of(rest_, [&](auto t) { return behind(t) == digits; });
    }

    void take_before(char c) {
        bool const integers =
            std::ranges::all_of(rest_, [&](auto t) { return is_integer_text(t.substr(0, t.find(c))); });
        found_.push_back(value_part(integers ? value_kind::int64 : value_kind::text));
        for (auto& t : rest_) t.remove_prefix(t.find(c));
    }

    void take_last() {
        bool const integers = std::ranges::all_of(rest_, is_integer_text);
        auto const form = is_escaped_text() ? text_form::escaped : text_form::plain;
        found_.push_back(integers ? value_part(value_kind::int64) : value_part(value_kind::text, form));
        rest_.assign(rest_.size(), {});
    }

    /// True if there are escapes, and no control characters among what they stand for, which would be chance.
    bool is_escaped_text() const {
        bool escaped = false;
        for (auto const t : rest_) {
            std::string value;
            if (!detail::read_escaped(t, value)) return false;
            if (std::ranges::any_of(value, [](char c) { return static_cast<unsigned char>(c) < 0x20; })) return false;
            escaped = escaped || value != t;
        }
        return escaped;
    }

    text_column rest_;
    key_shape found_{};
};

}  // namespace

bool is_separator(char c) noexcept { return separators.find(c) != std::string_view::npos; }

key_shape plain_shape(std::string_view beginning) {
    key_shape shape;
    if (!beginning.empty()) shape.push_back(literal_part(beginning));
    shape.push_back(value_part(value_kind::text));
    return shape;
}

key_shape find_parts(std::vector<std::string_view> const& texts, std::string_view beginning) {
    auto shape = part_finder{texts}.find(beginning);
    auto const layouts = layouts_of(shape);
    bool const readable = std::ranges::all_of(texts, [&](auto t) { return split_key(t, layouts).has_value(); }) &&
                          detail::can_be_told_apart(layouts.data(), layouts.size());
    return readable ? shape : plain_shape(beginning);
}

}  // namespace tablemap::inspect
