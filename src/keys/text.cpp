// SPDX-License-Identifier: Apache-2.0
#include "tablemap/keys/text.hpp"

#include "tablemap/base/utf.hpp"
#include "tablemap/edm/names.hpp"

#include <algorithm>
#include <charconv>

namespace tablemap::detail {
namespace {

template <class Integer> bool read_integer(std::string_view text, std::size_t width, Integer& value) {
    if (width != 0 && (text.size() != width || text.front() == '-')) return false;
    Integer v{};
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (e != std::errc{} || end != text.data() + text.size()) return false;
    if (width == 0) {
        // "007" or "-0" are not what a key is made with, and reading them would make two keys one entity.
        std::string again;
        append_key_part(again, std::int64_t{v}, 0);
        if (again != text) return false;
    }
    value = v;
    return true;
}

constexpr std::uint32_t last_before_surrogates = 0xD7FF;
constexpr std::uint32_t first_after_surrogates = 0xE000;
constexpr std::uint32_t last_of_plane_0 = 0xFFFF;
constexpr std::uint32_t first_supplementary = 0x10000;
constexpr std::uint32_t last_code_point = 0x10FFFF;

/// Takes the last code point off valid UTF-8 text.
std::uint32_t take_last(std::string_view& text) {
    std::uint32_t code_point = 0;
    unsigned shift = 0;
    for (;;) {
        auto const c = static_cast<unsigned char>(text.back());
        text.remove_suffix(1);
        if ((c & 0xC0) != 0x80) {
            unsigned const mask = shift == 0 ? 0x7F : shift == 6 ? 0x1F : shift == 12 ? 0x0F : 0x07;
            return code_point | (c & mask) << shift;
        }
        code_point |= static_cast<std::uint32_t>(c & 0x3F) << shift;
        shift += 6;
    }
}

void append_code_point(std::string& out, std::uint32_t c) {
    auto const put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
    } else if (c < first_supplementary) {
        put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    }
}

/// The code point after this one in UTF-16 code unit order, where the supplementary ones stand at the surrogates' place.
std::uint32_t next_in_utf16_order(std::uint32_t c) {
    if (c == last_before_surrogates) return first_supplementary;
    if (c == last_code_point) return first_after_surrogates;
    return c + 1;
}

}  // namespace

std::optional<std::string> end_of_prefix(std::string_view prefix) {
    while (!prefix.empty()) {
        auto const last = take_last(prefix);
        if (last == last_of_plane_0) continue;
        std::string end{prefix};
        append_code_point(end, next_in_utf16_order(last));
        return end;
    }
    return std::nullopt;
}

bool append_key_part(std::string& out, std::string_view value, std::size_t) {
    out += value;
    return true;
}

bool append_key_part(std::string& out, std::int64_t value, std::size_t width) {
    char text[24];
    auto const* const end = std::to_chars(text, text + sizeof text, value).ptr;
    auto const size = static_cast<std::size_t>(end - text);
    if (width != 0 && (value < 0 || size > width)) return false;
    if (width > size) out.append(width - size, '0');
    out.append(text, size);
    return true;
}

bool append_key_part(std::string& out, guid const& value, std::size_t) {
    append_guid(out, value);
    return true;
}

bool read_key_part(std::string_view text, std::size_t, std::string& value) {
    value = text;
    return true;
}

bool read_key_part(std::string_view text, std::size_t width, std::int32_t& value) {
    return read_integer(text, width, value);
}

bool read_key_part(std::string_view text, std::size_t width, std::int64_t& value) {
    return read_integer(text, width, value);
}

bool read_key_part(std::string_view text, std::size_t, guid& value) {
    bool const upper = std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'F'; });
    return !upper && parse_guid(text, value);
}

error part_does_not_fit(std::string_view member, std::size_t width) {
    return error{library_errc::key_part_does_not_fit,
                 {.reason = "the value is negative or has more than the " + std::to_string(width) +
                            " digits declared by width(n); a greater width changes the keys of all stored entities",
                  .member = std::string{member}}};
}

error part_holds_its_end(std::string_view member, std::string_view end) {
    return error{library_errc::key_part_does_not_fit,
                 {.reason = "the value holds \"" + std::string{end} +
                            "\", the literal that ends this part of the key, so the key could not be read back",
                  .member = std::string{member}}};
}

std::optional<error> find_fault_in_part(std::string_view member, std::string_view text) {
    char const* reason = nullptr;
    if (find_forbidden_in_key(text) != std::string_view::npos)
        reason = "keys may not hold / \\ # ? or control characters (U+0000 to U+001F, U+007F to U+009F)";
    else if (!utf16_length(text))
        reason = "keys must be valid UTF-8";
    if (!reason) return std::nullopt;
    return error{library_errc::invalid_key, {.reason = reason, .member = std::string{member}}};
}

error key_lacks_literal(std::string_view literal) {
    return error{library_errc::unreadable_key,
                 {.reason = "it lacks the literal \"" + std::string{literal} + "\" where the mapping has it"}};
}

error part_unreadable(std::string_view member) {
    return error{
        library_errc::unreadable_key,
        {.reason = "the text in this part's place is not what the mapping writes", .member = std::string{member}}};
}

}  // namespace tablemap::detail
