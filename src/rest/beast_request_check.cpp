// SPDX-License-Identifier: Apache-2.0
#include "rest/beast_exchange.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace tablemap::inline v0_1::detail {
namespace {

/// The bytes that are themselves, or one of these.
constexpr std::array<bool, 256> alphanumeric_or(std::string_view others) {
    std::array<bool, 256> all{};
    for (unsigned c = 0; c < 256; ++c) {
        auto const byte = static_cast<char>(static_cast<unsigned char>(c));
        all[c] = is_letter_or_digit(byte) || others.find(byte) != std::string_view::npos;
    }
    return all;
}

/// RFC 9110, 5.6.2, and RFC 3986, 3.3 and 3.4.
constexpr auto in_token = alphanumeric_or("!#$%&'*+-.^_`|~");
constexpr auto in_target = alphanumeric_or("-._~!$&'()*+,;=:@/?%");

constexpr auto in_hex = [] {
    std::array<bool, 256> all{};
    for (char const c : std::string_view{"0123456789ABCDEFabcdef"}) all[static_cast<unsigned char>(c)] = true;
    return all;
}();

constexpr std::string_view own_headers[] = {"Host", "Content-Length", "Transfer-Encoding"};

bool consists_of(std::array<bool, 256> const& allowed, std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [&](char c) { return allowed[static_cast<unsigned char>(c)]; });
}

bool is_token(std::string_view text) noexcept { return !text.empty() && consists_of(in_token, text); }

bool is_target(std::string_view text) noexcept {
    if (!text.starts_with('/') || text.starts_with("//") || !consists_of(in_target, text)) return false;
    for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
        if (at + 2 >= text.size() || !consists_of(in_hex, text.substr(at + 1, 2))) return false;
    return true;
}

bool is_header_value(std::string_view text) noexcept {
    return std::none_of(text.begin(), text.end(), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\t') || byte == 0x7F;
    });
}

/// True for headers that the transport writes itself: with two of them a message may end at one place for a proxy and
/// at another for the server.
bool is_own_header(std::string_view name) noexcept {
    return std::any_of(std::begin(own_headers), std::end(own_headers),
                       [&](std::string_view own) { return detail::equal_ignoring_case(name, own); });
}

}  // namespace

std::optional<error> unsendable(http_request const& r) {
    auto const refused = [](char const* why) { return error{transport_errc::invalid_request, {.reason = why}}; };
    if (!is_token(r.method)) return refused("the method is no word");
    if (!is_target(r.target)) return refused("the target is no encoded path and query");
    for (auto const& [name, value] : r.headers) {
        if (!is_token(name) || !is_header_value(value)) return refused("a header holds a line break");
        if (is_own_header(name))
            return refused("Host, Content-Length and Transfer-Encoding are the transport's to send");
    }
    return std::nullopt;
}

}  // namespace tablemap::detail
