// SPDX-License-Identifier: Apache-2.0
#include "rest/response_head.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {
namespace {

/// One without blanks: a library that joins headers of the same name puts one between them.
bool is_etag_header(std::string_view text) noexcept {
    bool const is_plain = std::none_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' ' || c == 0x7F; });
    auto const quotes = std::count(text.begin(), text.end(), '"');
    return is_plain && (quotes == 0 || (quotes == 2 && text.back() == '"'));
}

bool holds_control(std::string_view text) noexcept {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return (c < ' ' && c != '\t') || c == 0x7F; });
}

struct framing {
    std::uint64_t length = 0;
    bool has_length = false;
    bool is_chunked = false;
};

/// Nothing if the lengths are no numbers, or several.
std::optional<framing> framing_of(http_response const& head) {
    framing f;
    for (auto const& [name, value] : head.headers) {
        if (equal_ignoring_case(name, "Transfer-Encoding")) f.is_chunked = true;
        if (!equal_ignoring_case(name, "Content-Length")) continue;
        auto const* const end = value.data() + value.size();
        auto const [at, ec] = std::from_chars(value.data(), end, f.length);
        if (f.has_length || ec != std::errc{} || at != end) return std::nullopt;
        f.has_length = true;
    }
    return f;
}

std::size_t size_of(http_response const& head) noexcept {
    std::size_t all = 0;
    for (auto const& [name, value] : head.headers)
        all += name.size() + value.size() + std::string_view{": \r\n"}.size();
    return all;
}

}  // namespace

bool has_one_etag_at_most(http_response const& head) noexcept {
    std::size_t seen = 0;
    return std::all_of(head.headers.begin(), head.headers.end(), [&](auto const& h) {
        return !equal_ignoring_case(h.first, "ETag") || (++seen == 1 && is_etag_header(h.second));
    });
}

std::optional<head_fault> fault_of_head(http_response const& head, std::optional<std::size_t> largest_body) {
    auto const malformed = [](char const* reason) { return head_fault{transport_errc::malformed_http, reason}; };
    if (size_of(head) > largest_head)
        return head_fault{transport_errc::response_too_large, "its head is larger than 32 KiB"};
    for (auto const& [name, value] : head.headers)
        if (holds_control(name) || holds_control(value)) return malformed("a header holds a control character");
    if (!has_one_etag_at_most(head)) return malformed("its ETag is not one entity tag");
    auto const f = framing_of(head);
    if (!f) return malformed("its Content-Length is no number");
    if (f->is_chunked && f->length > 0) return malformed("it has both a Content-Length and a Transfer-Encoding");
    if (largest_body && f->length > *largest_body) return head_fault{transport_errc::response_too_large, ""};
    return std::nullopt;
}

}  // namespace tablemap::detail
