// SPDX-License-Identifier: Apache-2.0
#include "tablemap/mapping/converters/decimal.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace tablemap::inline v0_1 {
namespace {

using detail::is_digit;

/// The parts of a canonical text. The digits after the point are without trailing zeros, which do not change the value.
struct pieces {
    bool negative = false;
    std::string_view whole{};
    std::string_view fraction{};
};

pieces pieces_of(std::string_view text) noexcept {
    pieces p;
    p.negative = text.starts_with('-');
    if (p.negative) text.remove_prefix(1);
    auto const point = text.find('.');
    p.whole = text.substr(0, point);
    if (point != std::string_view::npos) p.fraction = text.substr(point + 1);
    while (p.fraction.ends_with('0')) p.fraction.remove_suffix(1);
    return p;
}

std::strong_ordering compare_text(std::string_view a, std::string_view b) noexcept { return a.compare(b) <=> 0; }

/// Without trailing zeros, fractions compare like words: a shorter one that begins another is less.
std::strong_ordering compare_magnitude(pieces const& a, pieces const& b) noexcept {
    if (auto const by_length = a.whole.size() <=> b.whole.size(); by_length != 0) return by_length;
    if (auto const by_whole = compare_text(a.whole, b.whole); by_whole != 0) return by_whole;
    return compare_text(a.fraction, b.fraction);
}

bool all_digits(std::string_view text) noexcept {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

result<decimal> decimal::parse(std::string_view text) {
    bool const negative = text.starts_with('-');
    auto const number = text.substr(negative ? 1 : 0);
    auto const point = number.find('.');
    bool const has_fraction = point != std::string_view::npos;
    auto whole = number.substr(0, point);
    auto const fraction = has_fraction ? number.substr(point + 1) : std::string_view{};
    if (!all_digits(whole) || (has_fraction && !all_digits(fraction)))
        return fail(library_errc::type_mismatch,
                    {.reason = "the text is no decimal: a minus if it is negative, digits, a point and more digits"});
    while (whole.size() > 1 && whole[0] == '0') whole.remove_prefix(1);
    if (whole.size() + fraction.size() > most_digits)
        return fail(library_errc::value_out_of_range, {.reason = "a decimal has at most 1000 digits"});

    bool const zero = whole == "0" && fraction.find_first_not_of('0') == std::string_view::npos;
    decimal d;
    d.text_.clear();
    if (negative && !zero) d.text_ += '-';
    d.text_ += whole;
    if (has_fraction) d.text_.append(".").append(fraction);
    return d;
}

std::size_t decimal::scale() const noexcept {
    auto const point = text_.find('.');
    return point == std::string::npos ? 0 : text_.size() - point - 1;
}

std::weak_ordering operator<=>(decimal const& a, decimal const& b) noexcept {
    auto const x = pieces_of(a.text_);
    auto const y = pieces_of(b.text_);
    if (x.negative != y.negative) return y.negative <=> x.negative;
    return x.negative ? compare_magnitude(y, x) : compare_magnitude(x, y);
}

}  // namespace tablemap
