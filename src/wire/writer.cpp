// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace tablemap::inline v0_1::detail {
namespace {

/// The first byte of U+2028 and U+2029 in UTF-8, among others.
constexpr unsigned char separator_lead = 0xE2;

/// The character after the backslash for a character that JSON strings cannot contain; 0 for all others, 'u' for
/// \u00XX. The lead byte of the line separators counts as one, too.
constexpr std::array<char, 256> make_escapes() {
    std::array<char, 256> e{};
    for (std::size_t c = 0; c < 0x20; ++c) e[c] = 'u';
    e['\b'] = 'b', e['\f'] = 'f', e['\n'] = 'n', e['\r'] = 'r', e['\t'] = 't', e['"'] = '"', e['\\'] = '\\';
    e[separator_lead] = 's';
    return e;
}
constexpr auto escapes = make_escapes();

/// True if eight bytes need no escapes in JSON and are ASCII. A byte's top bit in each term says that the byte is below
/// 0x20, a quote or a backslash; borrows can only add such bits, which only makes a word slower.
constexpr bool is_plain_ascii(std::uint64_t word) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    auto const below_space = word - ones * 0x20;
    auto const quote = (word ^ (ones * '"')) - ones;
    auto const backslash = (word ^ (ones * '\\')) - ones;
    return ((word | below_space | quote | backslash) & (ones * 0x80)) == 0;
}

/// The number of bytes from the start that are plain ASCII and need no escapes in JSON; at most seven fewer than there
/// are.
std::size_t plain_ascii_prefix(char const* text, std::size_t size) noexcept {
    auto const word_at = [&](std::size_t at) {
        std::uint64_t word;
        std::memcpy(&word, text + at, sizeof word);
        return word;
    };
    constexpr std::size_t step = sizeof(std::uint64_t);
    std::size_t i = 0;
    for (; size - i >= 4 * step; i += 4 * step) {
        bool plain = true;
        for (std::size_t k = 0; k < 4; ++k) plain &= is_plain_ascii(word_at(i + k * step));
        if (!plain) break;
    }
    for (; size - i >= step; i += step)
        if (!is_plain_ascii(word_at(i))) return i;
    // The rest is tested together with bytes before it that are known to be plain.
    if (i < size && size >= step && is_plain_ascii(word_at(size - step))) return size;
    return i;
}

template <class T> void append_number(std::string& out, T v) {
    char text[32];
    auto const end = std::to_chars(text, text + sizeof text, v).ptr;
    out.append(text, end);
}

}  // namespace

bool append_json_string(std::string& out, std::string_view text) {
    out += '"';
    bool ascii = true;
    std::size_t from = 0;
    std::size_t i = 0;
    std::size_t unsearched = 0;
    while (i < text.size()) {
        if (i >= unsearched) {
            i += plain_ascii_prefix(text.data() + i, text.size() - i);
            unsearched = i + sizeof(std::uint64_t);
            if (i == text.size()) break;
        }
        auto const c = static_cast<unsigned char>(text[i++]);
        ascii = ascii && c < 0x80;
        char const escape = escapes[c];
        if (escape == 0) continue;
        if (c == separator_lead) {
            auto const rest = text.substr(i, 2);
            if (rest != "\x80\xA8" && rest != "\x80\xA9") continue;
            out.append(text, from, i - 1 - from).append(rest.back() == '\xA8' ? "\\u2028" : "\\u2029");
            from = i += rest.size();
            continue;
        }
        out.append(text, from, i - 1 - from);
        from = i;
        out += '\\';
        out += escape;
        if (escape == 'u') {
            constexpr std::string_view hex = "0123456789abcdef";
            out.append("00").append(1, hex[c >> 4]).append(1, hex[c & 15]);
        }
    }
    out.append(text, from);
    out += '"';
    return ascii;
}

void append_value(std::string& out, std::string_view v) { append_json_string(out, v); }
void append_value(std::string& out, bool v) { out += v ? "true" : "false"; }
void append_value(std::string& out, std::int32_t v) { append_number(out, v); }

void append_value(std::string& out, std::int64_t v) {
    out += '"';
    append_number(out, v);
    out += '"';
}

void append_value(std::string& out, double v) {
    if (std::isnan(v)) {
        out += "\"NaN\"";
    } else if (std::isinf(v)) {
        out += v < 0 ? "\"-Infinity\"" : "\"Infinity\"";
    } else {
        char text[32];
        char* const end = std::to_chars(text, text + sizeof text, v).ptr;
        out.append(text, end);
        if (std::none_of(text, end, [](char c) { return c == '.' || c == 'e'; })) out += ".0";
    }
}

void append_value(std::string& out, ticks v) {
    out += '"';
    append_ticks(out, v);
    out += '"';
}

void append_value(std::string& out, guid const& v) {
    out += '"';
    append_guid(out, v);
    out += '"';
}

void append_value(std::string& out, bytes const& v) {
    out += '"';
    append_base64(out, v);
    out += '"';
}

void append_any_value(std::string& out, property_value const& v) {
    std::visit([&](auto const& x) { append_value(out, x); }, v);
}

void append_name(std::string& out, std::string_view name, edm_type type) {
    if (needs_annotation(type)) {
        out.append(",\"").append(name).append("@odata.type\":\"").append(edm_name(type)).append("\"");
    }
    out.append(",\"").append(name).append("\":");
}

void begin_entity(std::string& out, std::string_view partition_key, std::string_view row_key) {
    out += "{\"PartitionKey\":";
    append_json_string(out, partition_key);
    out += ",\"RowKey\":";
    append_json_string(out, row_key);
}

void append_entity(std::string& out, dynamic_entity const& e) {
    begin_entity(out, e.partition_key, e.row_key);
    for (auto const& p : properties_of(e)) {
        append_name(out, p.name, type_of(p.value));
        append_any_value(out, p.value);
    }
    out += '}';
}

}  // namespace tablemap::detail
