// SPDX-License-Identifier: Apache-2.0
#include "types.hpp"

#include "layout.hpp"
#include "vocabulary.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace tablemap::codegen {
namespace {

struct row {
    std::string_view word;
    type_kind kind;
    std::string_view cpp;
    std::string_view argument;
    std::int64_t low;
    std::uint64_t high;
    bool has_order;
};

template <class Int> constexpr row integer_row(std::string_view word, std::string_view cpp) {
    using limits = std::numeric_limits<Int>;
    return {word,
            type_kind::integer,
            cpp,
            cpp,
            static_cast<std::int64_t>(limits::min()),
            static_cast<std::uint64_t>(limits::max()),
            true};
}

constexpr std::array rows{
    row{"string", type_kind::text, "std::string", "std::string_view", 0, 0, true},
    row{"boolean", type_kind::flag, "bool", "bool", 0, 0, false},
    integer_row<std::int8_t>("int8", "std::int8_t"),
    integer_row<std::int16_t>("int16", "std::int16_t"),
    integer_row<std::int32_t>("int32", "std::int32_t"),
    integer_row<std::int64_t>("int64", "std::int64_t"),
    integer_row<std::uint8_t>("uint8", "std::uint8_t"),
    integer_row<std::uint16_t>("uint16", "std::uint16_t"),
    integer_row<std::uint32_t>("uint32", "std::uint32_t"),
    integer_row<std::uint64_t>("uint64", "std::uint64_t"),
    row{"double", type_kind::real, "double", "double", 0, 0, true},
    row{"decimal", type_kind::converted, "tablemap::decimal", "tablemap::decimal const&", 0, 0, false},
    row{"datetime", type_kind::time, "tablemap::ticks", "tablemap::ticks", 0, 0, true},
    row{"date", type_kind::time, "std::chrono::sys_days", "std::chrono::sys_days", 0, 0, true},
    row{"guid", type_kind::guid, "tablemap::guid", "tablemap::guid const&", 0, 0, false},
    row{"binary", type_kind::binary, "tablemap::bytes", "tablemap::bytes const&", 0, 0, false},
    row{"url", type_kind::converted, "tablemap::url", "tablemap::url const&", 0, 0, false},
    row{"json", type_kind::converted, "tablemap::json_document", "tablemap::json_document const&", 0, 0, false},
    row{"extras", type_kind::extras, "tablemap::extras", "", 0, 0, false},
};

std::string number_literal(type_info const& t, std::int64_t n, std::string& expected) {
    bool const fits = n >= t.low && (n < 0 || static_cast<std::uint64_t>(n) <= t.high);
    if (!fits) {
        expected = "a whole number from " + std::to_string(t.low) + " to " + std::to_string(t.high) + ",";
        return {};
    }
    // The least number has no literal: its digits without the sign are beyond 64 bits.
    if (n == std::numeric_limits<std::int64_t>::min()) return "std::numeric_limits<std::int64_t>::min()";
    return std::to_string(n);
}

std::string real_literal(double d) {
    std::array<char, 32> digits{};
    auto const [end, e] = std::to_chars(digits.data(), digits.data() + digits.size(), d);
    std::string text{digits.data(), end};
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

}  // namespace

bool type_info::fits_key() const noexcept {
    switch (kind) {
    case type_kind::text:
    case type_kind::flag:
    case type_kind::integer:
    case type_kind::real:
    case type_kind::time:
    case type_kind::guid:
    case type_kind::enumeration: return true;
    default: return false;
    }
}

bool type_info::fits_filter() const noexcept {
    return kind != type_kind::unknown && kind != type_kind::binary && kind != type_kind::extras;
}

type_info find_type(schema const& s, std::string const& type) {
    for (auto const& r : rows)
        if (r.word == type)
            return {r.kind, std::string{r.cpp}, std::string{r.argument}, r.low, r.high, nullptr, r.has_order};
    if (auto const* const e = find_enum(s, type)) {
        type_info t{type_kind::enumeration, type, type, 0, 0, e, !e->by_name};
        return t;
    }
    if (type.find("::") == std::string::npos) return {};
    bool const is_known = type.starts_with("std::") || type.starts_with("tablemap::");
    auto const cpp = (is_known ? "" : "::") + type;
    return {type_kind::cpp, cpp, cpp + " const&", 0, 0, nullptr, true};
}

std::string_view find_word(std::string_view cpp) {
    for (auto const& r : rows)
        if (r.cpp == cpp) return r.word;
    return {};
}

std::string member_type(std::string const& cpp, property const& p) {
    auto const text = p.encrypted ? "tablemap::encrypted<" + cpp + ">" : cpp;
    if (p.series) return "tablemap::series<" + text + ", " + std::to_string(*p.series) + ">";
    return p.nullable ? "std::optional<" + text + ">" : text;
}

std::string cpp_literal(type_info const& t, literal const& l, std::string& expected) {
    auto const* const text = std::get_if<std::string>(&l);
    auto const* const number = std::get_if<std::int64_t>(&l);
    switch (t.kind) {
    case type_kind::text:
        // Most functions take a literal of C++ as ending at the character U+0000.
        expected = "a text without the character U+0000,";
        return text != nullptr && text->find('\0') == std::string::npos ? cpp_text(*text) : "";
    case type_kind::flag:
        expected = "true or false,";
        return std::get_if<bool>(&l) == nullptr ? "" : std::get<bool>(l) ? "true" : "false";
    case type_kind::integer:
        expected = "a whole number,";
        return number != nullptr ? number_literal(t, *number, expected) : "";
    case type_kind::real:
        expected = "a number,";
        if (number != nullptr) return real_literal(static_cast<double>(*number));
        return std::get_if<double>(&l) != nullptr ? real_literal(std::get<double>(l)) : "";
    case type_kind::enumeration: {
        word_list names;
        for (auto const& v : t.declared->values) names.push_back(v.id.text);
        expected = "one of " + listed(names, "or") + ",";
        if (text != nullptr)
            for (auto const& v : t.declared->values)
                if (v.id.text == *text) return t.cpp + "::" + *text;
        return "";
    }
    default: expected.clear(); return "";
    }
}

std::string describe(literal const& l) {
    if (auto const* const s = std::get_if<std::string>(&l)) return "the text " + in_quotes(*s);
    if (auto const* const b = std::get_if<bool>(&l)) return *b ? "true" : "false";
    if (auto const* const n = std::get_if<std::int64_t>(&l)) return "the number " + std::to_string(*n);
    return "the number " + real_literal(std::get<double>(l));
}

std::string cpp_text(std::string_view text) {
    constexpr std::string_view octal = "01234567";
    std::string out = "\"";
    std::size_t escaped = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const code = static_cast<unsigned char>(text[i]);
        if (code < 0x20 || code == 0x7F) escaped = i + 1;
        if (turns_direction(text.substr(i))) escaped = i + 3;
        if (i < escaped) {
            // Always three digits: a digit that follows would belong to the escape.
            out += '\\';
            for (unsigned const shift : {6U, 3U, 0U}) out += octal[(code >> shift) & 7U];
        } else {
            // Two question marks may begin a trigraph.
            bool const quoted = text[i] == '"' || text[i] == '\\' || (text[i] == '?' && out.back() == '?');
            if (quoted) out += '\\';
            out += text[i];
        }
    }
    return out + '"';
}

std::vector<std::int64_t> enum_numbers(enumeration const& e) {
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> numbers;
    std::int64_t next = 0;
    for (auto const& v : e.values) {
        numbers.push_back(v.number.value_or(next));
        next = numbers.back() + (numbers.back() < greatest ? 1 : 0);
    }
    return numbers;
}

}  // namespace tablemap::codegen
