// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/wire/writer.hpp"

#include "wire/text_stop.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace tablemap::inline v0_1::detail {
namespace {

/// Appends characters that stand for themselves in JSON, except the two that end lines in JavaScript.
void append_beyond_ascii(std::string& out, std::string_view text) {
    constexpr std::string_view separators = "\xE2\x80";  // U+2028 and U+2029 begin so
    std::size_t from = 0;
    for (auto at = text.find(separators); at != std::string_view::npos; at = text.find(separators, at)) {
        at += separators.size();
        char const last = at < text.size() ? text[at] : '\0';
        if (last != '\xA8' && last != '\xA9') continue;
        out.append(text, from, at - separators.size() - from).append(last == '\xA8' ? "\\u2028" : "\\u2029");
        from = ++at;
    }
    out.append(text, from);
}

/// Appends a quote, a backslash or a control character.
void append_escaped(std::string& out, char c) {
    constexpr std::string_view letters = "\"\\bfnrt", meanings = "\"\\\b\f\n\r\t", hex = "0123456789abcdef";
    auto const at = meanings.find(c);
    out += '\\';
    if (at != std::string_view::npos)
        out += letters[at];
    else
        out.append("u00").append(1, hex[static_cast<unsigned char>(c) >> 4]).append(1, hex[c & 15]);
}

template <class T> void append_number(std::string& out, T v) {
    char text[32];
    auto const end = std::to_chars(text, text + sizeof text, v).ptr;
    out.append(text, end);
}

}  // namespace

bool append_json_string(std::string& out, std::string_view text) {
    bool ascii = true;
    auto const* from = text.data();
    auto const* const end = from + text.size();
    out += '"';
    for (;;) {
        auto const stop = find_text_stop(from, end);
        std::string_view const plain{from, static_cast<std::size_t>(stop.at - from)};
        if (stop.is_ascii())
            out += plain;
        else
            append_beyond_ascii(out, plain);
        ascii = ascii && stop.is_ascii();
        if (stop.at == end) break;
        append_escaped(out, *stop.at);
        from = stop.at + 1;
    }
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
