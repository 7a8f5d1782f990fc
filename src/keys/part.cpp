// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "edm/key_characters.hpp"
#include "tablemap/detail/base/utf.hpp"
#include "tablemap/detail/keys/text.hpp"

#include <bit>
#include <charconv>
#include <cmath>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr char terminator[] = " !";
constexpr char unit_terminator = '~';

// ---- faults of parts ------------------------------------------------------------------------------------------------

error misfit(part_layout const& p, std::string reason) {
    return error{library_errc::key_part_does_not_fit, {.reason = std::move(reason), .member = std::string{p.name}}};
}

error number_misfit(part_layout const& p) {
    if (p.kind == part_kind::time) return misfit(p, "the time is not between the years 1 and 9999");
    if (p.has_range)
        return misfit(p, "the value is not between " + std::to_string(rank_of(p.low, p.is_signed)) + " and " +
                             std::to_string(rank_of(p.high, p.is_signed)) + ", the range declared for it");
    return misfit(p, "the value is negative or has more than the " + std::to_string(p.width) +
                         " digits declared by width(n); a greater width changes the keys of all stored entities");
}

std::optional<error> find_fault_in_text(part_layout const& p, std::string_view text) {
    auto const [units, forbidden] = look_at_key(text);
    char const* reason = nullptr;
    if (p.form == part_form::plain && forbidden)
        reason =
            "keys may not hold / \\ # ? or control characters (U+0000 to U+001F, U+007F to U+009F); a part that is "
            "escaped() may";
    else if (!units)
        reason = "keys must be valid UTF-8";
    if (!reason) return std::nullopt;
    return error{library_errc::invalid_key, {.reason = reason, .member = std::string{p.name}}};
}

// ---- numbers --------------------------------------------------------------------------------------------------------

bool is_allowed(part_layout const& p, std::uint64_t number) noexcept {
    auto const rank = rank_of(number, p.is_signed);
    if (rank < p.low || rank > p.high) return false;
    return !p.entries || find_enum_value(p.entries, p.entry_count, static_cast<std::int64_t>(number)) < p.entry_count;
}

void append_decimal(std::string& out, std::uint64_t number, bool is_signed, std::size_t width) {
    char text[24];
    auto* const end = is_signed ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(number)).ptr
                                : std::to_chars(text, text + sizeof text, number).ptr;
    auto const size = static_cast<std::size_t>(end - text);
    if (width > size) out.append(width - size, '0');
    out.append(text, size);
}

void append_hex(std::string& out, std::uint64_t number) {
    for (int shift = 60; shift >= 0; shift -= 4)
        out += "0123456789abcdef"[number >> static_cast<unsigned>(shift) & 0xFU];
}

void complement_digits(char* digits, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) digits[i] = static_cast<char>('0' + '9' - digits[i]);
}

void append_digits(std::string& out, part_layout const& p, std::uint64_t number) {
    auto code = number + p.offset;
    if (p.descending && p.top != 0) code = p.top - code;
    auto const from = out.size();
    append_decimal(out, code, false, p.width);
    if (p.descending && p.top == 0) complement_digits(out.data() + from, p.width);
}

bool is_decimal(std::string_view text) noexcept {
    for (char const c : text)
        if (c < '0' || c > '9') return false;
    return !text.empty();
}

template <class Integer> bool parse(std::string_view text, Integer& value, int base = 10) noexcept {
    auto const* const end = text.data() + text.size();
    auto const [at, e] = std::from_chars(text.data(), end, value, base);
    return e == std::errc{} && at == end;
}

bool read_digits(part_layout const& p, std::string_view text, std::uint64_t& number) {
    constexpr auto most = ~std::uint64_t{};
    if (text.size() != p.width || text.empty()) return false;
    bool const nines = p.descending && p.top == 0;
    std::uint64_t code = 0;
    for (char const c : text) {
        if (!is_digit(c)) return false;
        auto const digit = static_cast<std::uint64_t>(nines ? '9' - c : c - '0');
        if (code > most / 10 || (code == most / 10 && digit > most % 10)) return false;
        code = code * 10 + digit;
    }
    if (p.descending && !nines) {
        if (code > p.top) return false;
        code = p.top - code;
    }
    number = code - p.offset;
    return is_allowed(p, number);
}

bool read_decimal(part_layout const& p, std::string_view text, std::uint64_t& number) {
    if (p.is_signed) {
        std::int64_t v = 0;
        if (!parse(text, v)) return false;
        number = static_cast<std::uint64_t>(v);
    } else if (!parse(text, number)) {
        return false;
    }
    // "007" and "-0" are not written into keys: reading them would make two keys one entity.
    std::string again;
    append_decimal(again, number, p.is_signed, 0);
    return again == text && is_allowed(p, number);
}

// ---- doubles --------------------------------------------------------------------------------------------------------

constexpr bool is_nan(std::uint64_t bits) noexcept { return (bits & ~sign_bit) > std::uint64_t{0x7FF0'0000'0000'0000}; }

constexpr std::uint64_t ordered_bits(std::uint64_t bits) noexcept {
    if (bits == sign_bit) bits = 0;  // -0
    return (bits & sign_bit) != 0 ? ~bits : bits ^ sign_bit;
}

bool is_lower_hex(std::string_view text) noexcept {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool read_real(part_layout const& p, std::string_view text, std::uint64_t& bits) {
    std::uint64_t code = 0;
    if (text.size() != p.width || !is_lower_hex(text) || !parse(text, code, 16)) return false;
    if (p.descending) code = ~code;
    bits = (code & sign_bit) != 0 ? code ^ sign_bit : ~code;
    return !is_nan(bits) && bits != sign_bit;
}

// ---- guids ----------------------------------------------------------------------------------------------------------

guid inverted(guid const& g) noexcept {
    auto bytes = g.bytes();
    for (auto& b : bytes) b = static_cast<std::uint8_t>(~b);
    return guid{bytes};
}

bool read_id(part_layout const& p, std::string_view text, guid& value) {
    for (char const c : text)
        if (c >= 'A' && c <= 'F') return false;
    if (!parse_guid(text, value)) return false;
    if (p.descending) value = inverted(value);
    return true;
}

// ---- hashes ---------------------------------------------------------------------------------------------------------

/// Appends the text that is hashed: that of the part without modifiers.
std::optional<error> append_unmodified(std::string& out, part_layout p, part_value const& value) {
    auto const kind = p.kind;
    p.form = kind == part_kind::time ? part_form::digits : kind == part_kind::real ? part_form::hex : part_form::plain;
    p.width = kind == part_kind::time ? time_key_length : 0;
    p.descending = false;
    p.offset = 0;
    if (kind == part_kind::text) {
        // Its characters need not be legal in a key, for the key holds only the hash.
        out += value.text;
        p.form = part_form::escaped;
        return find_fault_in_text(p, value.text);
    }
    return append_part(out, p, value);
}

std::optional<error> append_hash(std::string& out, part_layout const& p, part_value const& value) {
    std::string text;
    if (auto fault = append_unmodified(text, p, value)) return fault;
    auto const hash = hash_of_text(text);
    if (p.form == part_form::bucket)
        append_bucket(out, p, hash % p.buckets);
    else
        append_hex(out, hash);
    return std::nullopt;
}

bool is_hash(part_layout const& p, std::string_view text) noexcept {
    if (text.size() != p.width) return false;
    if (p.form == part_form::hashed) return is_lower_hex(text);
    std::uint64_t bucket = 0;
    return is_decimal(text) && parse(text, bucket) && bucket < p.buckets;
}

std::optional<error> append_period(std::string& out, part_layout const& p, std::uint64_t time) {
    if (!is_allowed(p, time)) return number_misfit(p);
    append_decimal(out, time - time % p.period, false, p.width);
    return std::nullopt;
}

bool is_period(part_layout const& p, std::string_view text) {
    std::uint64_t start = 0;
    return read_digits(p, text, start) && start % p.period == 0;
}

bool read_name(part_layout const& p, std::string_view text, std::uint64_t& number) noexcept {
    auto const at = find_enum_name(p.entries, p.entry_count, text);
    if (at == p.entry_count) return false;
    number = static_cast<std::uint64_t>(p.entries[at].value);
    return true;
}

bool decode_text(part_layout const& p, std::string_view text, parsed_part& value) {
    bool good = false;
    if (p.form == part_form::units) {
        good = text.ends_with(unit_terminator) && read_inverted_units(text.substr(0, text.size() - 1), value.decoded);
    } else {
        if (p.terminated) {
            if (!text.ends_with(terminator)) return false;
            text.remove_suffix(sizeof terminator - 1);
        }
        good = read_escaped(text, value.decoded);
    }
    value.is_decoded = true;
    value.text = value.decoded;
    return good;
}

}  // namespace

std::optional<error> append_text_prefix(std::string& out, part_layout const& p, std::string_view prefix) {
    if (auto fault = find_fault_in_text(p, prefix)) return fault;
    if (p.form == part_form::units)
        append_inverted_units(out, prefix);
    else if (p.form == part_form::escaped)
        append_escaped(out, prefix);
    else
        out += prefix;
    return std::nullopt;
}

std::optional<error> append_part(std::string& out, part_layout const& p, part_value const& value) {
    if (p.form == part_form::hashed || p.form == part_form::bucket) return append_hash(out, p, value);
    if (p.form == part_form::period) return append_period(out, p, value.number);
    switch (p.kind) {
    case part_kind::literal: out += p.literal; break;
    case part_kind::text:
        if (auto fault = append_text_prefix(out, p, value.text)) return fault;
        if (p.form == part_form::units) out += unit_terminator;
        if (p.terminated) out += terminator;
        break;
    case part_kind::number:
    case part_kind::time:
        if (p.entries &&
            find_enum_value(p.entries, p.entry_count, static_cast<std::int64_t>(value.number)) == p.entry_count)
            return misfit(p, "the value is none that its enumeration lists");
        if (!is_allowed(p, value.number)) return number_misfit(p);
        if (p.form == part_form::digits)
            append_digits(out, p, value.number);
        else
            append_decimal(out, value.number, p.is_signed, 0);
        break;
    case part_kind::name: {
        auto const at = find_enum_value(p.entries, p.entry_count, static_cast<std::int64_t>(value.number));
        if (at == p.entry_count) return misfit(p, "the value is none that its enumeration lists");
        if (auto fault = find_fault_in_text(p, p.entries[at].name)) return fault;
        out += p.entries[at].name;
        break;
    }
    case part_kind::real:
        if (is_nan(value.number)) return misfit(p, "NaN has no place in the order of keys");
        append_hex(out, p.descending ? ~ordered_bits(value.number) : ordered_bits(value.number));
        break;
    case part_kind::id: append_guid(out, p.descending ? inverted(value.id) : value.id); break;
    }
    return std::nullopt;
}

void append_bucket(std::string& out, part_layout const& p, std::uint64_t bucket) {
    append_decimal(out, bucket, false, p.width);
}

std::size_t length_of_part(part_layout const& p, std::string_view text) noexcept {
    if (p.width != 0) return p.width;
    if (p.form == part_form::units) {
        auto const end = text.find(unit_terminator);
        return end == std::string_view::npos ? end : end + 1;
    }
    auto const end = text.find(terminator);
    return end == std::string_view::npos ? end : end + sizeof terminator - 1;
}

bool read_part(part_layout const& p, std::string_view text, parsed_part& value) {
    if (p.form == part_form::hashed || p.form == part_form::bucket) return is_hash(p, text);
    if (p.form == part_form::period) return is_period(p, text);
    switch (p.kind) {
    case part_kind::literal: return text == p.literal;
    case part_kind::text:
        if (p.form != part_form::plain) return decode_text(p, text, value);
        value.text = text;
        return true;
    case part_kind::number:
    case part_kind::time:
        return p.form == part_form::digits ? read_digits(p, text, value.number) : read_decimal(p, text, value.number);
    case part_kind::name: return read_name(p, text, value.number);
    case part_kind::real: return read_real(p, text, value.number);
    case part_kind::id: return read_id(p, text, value.id);
    }
    return false;
}

// ---- the functions of frequent types -------------------------------------------------------------------------------

template struct part_functions<std::string>;
template struct part_functions<std::int32_t>;
template struct part_functions<std::int64_t>;
template struct part_functions<guid>;
template struct part_functions<ticks>;

}  // namespace tablemap::detail
