// SPDX-License-Identifier: Apache-2.0
#include "rest/url.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr std::array<bool, 256> make_unreserved() {
    std::array<bool, 256> u{};
    for (char const c : std::string_view{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"})
        u[static_cast<unsigned char>(c)] = true;
    return u;
}
constexpr auto unreserved = make_unreserved();

void append_encoded(std::string& out, char c) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    auto const byte = static_cast<unsigned char>(c);
    if (unreserved[byte])
        out += c;
    else
        out.append(1, '%').append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
}

void append_key(std::string& out, std::string_view key) {
    for (char const c : key) {
        if (c == '\'') append_encoded(out, c);
        append_encoded(out, c);
    }
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view text) {
    for (char const c : text) append_encoded(out, c);
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool const escape = text[i] == '%' && i + 2 < text.size();
        int const high = escape ? hex_value(text[i + 1]) : -1;
        int const low = escape ? hex_value(text[i + 2]) : -1;
        if (high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string_view take_field(std::string_view& text, char end) noexcept {
    auto const size = static_cast<std::size_t>(std::find(text.begin(), text.end(), end) - text.begin());
    auto const field = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    return field;
}

void append_entity_path(std::string& out, std::string_view table, std::string_view partition_key,
                        std::string_view row_key, std::string_view quote) {
    out.append("/").append(table).append("(PartitionKey=").append(quote);
    append_key(out, partition_key);
    out.append(quote).append(",RowKey=").append(quote);
    append_key(out, row_key);
    out.append(quote).append(")");
}

void append_query(std::string& target, std::string_view name, std::string_view value) {
    target += target.find('?') == std::string::npos ? '?' : '&';
    target.append(name).append("=");
    append_percent_encoded(target, value);
}

}  // namespace tablemap::detail
