// SPDX-License-Identifier: Apache-2.0
#include "command/value_text.hpp"

#include "tablemap/detail/wire/token.hpp"
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace tablemap::inline v0_1::command {
namespace {

template <class Number> std::optional<property_value> number_from(std::string_view text) {
    Number n{};
    auto const* const end = text.data() + text.size();
    auto const r = std::from_chars(text.data(), end, n);
    if (r.ec != std::errc{} || r.ptr != end || text.empty()) return std::nullopt;
    return property_value{n};
}

std::optional<property_value> boolean_from(std::string_view text) {
    if (text == "true") return property_value{true};
    if (text == "false") return property_value{false};
    return std::nullopt;
}

/// Infinities and NaN have the service's names.
std::optional<property_value> double_from(std::string_view text) {
    bool const numeric = text.find_first_not_of("+-.0123456789eE") == text.npos;
    return numeric ? number_from<double>(text)
                   : detail::value_of({.kind = detail::json_token_kind::text, .text = text}, edm_type::real);
}

/// From the first digit that is not 0; zeros at the end count only before a decimal point.
std::ptrdiff_t significant_digits(std::string_view text) {
    auto const first = text.find_first_of("123456789");
    if (first == text.npos) return 0;
    auto const last = text.find('.') == text.npos ? text.size() - 1 : text.find_last_of("123456789");
    auto const digits = text.substr(first, last + 1 - first);
    return std::count_if(digits.begin(), digits.end(), [](char c) { return c != '.'; });
}

/// A double has every number of so many digits. 12E5 may be a code.
bool is_usual_number(std::string_view text) {
    auto const number = text.substr(0, text.find_first_of("eE"));
    bool const may_be_code = number.size() < text.size() && number.find('.') == number.npos;
    return !may_be_code && significant_digits(number) <= std::numeric_limits<double>::digits10;
}

bool is_exact(std::string_view text, edm_type type) {
    auto const v = value_from_text(text, type);
    if (!v || type == edm_type::datetime || type == edm_type::guid) return v.has_value();
    return text_of(*v) == text || (type == edm_type::real && is_usual_number(text));
}

/// Digits that begin with 0 are a code, no number.
bool is_code(std::string_view text) {
    auto const digits = text.substr(text.starts_with('-') ? 1 : 0);
    return digits.size() > 1 && digits[0] == '0' && digits[1] != '.';
}

edm_type type_of_text(std::string_view text) {
    using enum edm_type;
    for (auto const t : {boolean, int32, int64, real, datetime, guid})
        if (is_exact(text, t) && !(t == real && is_code(text))) return t;
    return string;
}

/// The type that holds the values of both.
edm_type joined(edm_type a, edm_type b) {
    using enum edm_type;
    if (a == b) return a;
    auto const is_number = [](edm_type t) { return t == int32 || t == int64 || t == real; };
    if (!is_number(a) || !is_number(b)) return string;
    // A double does not hold every Int64.
    if (a == real || b == real) return a == int64 || b == int64 ? string : real;
    return int64;
}

}  // namespace

std::string text_of(property_value const& v) {
    if (auto const* const text = std::get_if<std::string>(&v)) return *text;
    std::string out;
    detail::append_any_value(out, v);
    return out.starts_with('"') ? out.substr(1, out.size() - 2) : out;
}

std::optional<property_value> value_from_text(std::string_view text, edm_type type) {
    switch (type) {
    case edm_type::boolean: return boolean_from(text);
    case edm_type::int32: return number_from<std::int32_t>(text);
    case edm_type::int64: return number_from<std::int64_t>(text);
    case edm_type::real: return double_from(text);
    default: return detail::value_of({.kind = detail::json_token_kind::text, .text = text}, type);
    }
}

void type_guess::add(std::string_view text) {
    if (type_ == edm_type::string) return;
    auto const type = type_of_text(text);
    type_ = type_ ? joined(*type_, type) : type;
}

}  // namespace tablemap::inline v0_1::command
