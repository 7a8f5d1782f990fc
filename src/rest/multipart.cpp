// SPDX-License-Identifier: Apache-2.0
#include "rest/multipart.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int deepest_nesting = 2;         // a batch holds change sets, and these hold answers
constexpr std::size_t most_headers = 100;  // of one part; the service sends about ten

/// True if a line delimits parts: the boundary after two dashes, then nothing or the two dashes of the end.
bool is_delimiter(std::string_view line, std::string_view boundary) noexcept {
    if (!line.starts_with("--")) return false;
    line.remove_prefix(2);
    if (!line.starts_with(boundary)) return false;
    line = trimmed(line.substr(boundary.size()));
    return line.empty() || line == "--";
}

std::string_view first_delimiter(std::string_view text) noexcept {
    while (!text.empty()) {
        auto const line = trimmed(take_line(text));
        if (line.size() > 2 && line.starts_with("--")) return line.substr(2);
    }
    return {};
}

std::optional<int> status_in(std::string_view line) noexcept {
    if (!starts_with_ignoring_case(line, "HTTP/")) return std::nullopt;
    auto const blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    auto const text = trimmed(line.substr(blank));
    int status = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), status);
    bool const whole = e == std::errc{} && end == text.data() + std::min<std::size_t>(3, text.size());
    return whole && status >= 100 && status <= 599 ? std::optional{status} : std::nullopt;
}

std::optional<batch_part> answer_in(std::string_view text) {
    while (!text.empty()) {
        auto const status = status_in(take_line(text));
        if (!status) continue;
        batch_part part;
        part.status = *status;
        take_headers(text, part.headers);
        part.body = trimmed(text);
        return part;
    }
    return std::nullopt;
}

void read_parts(std::string_view text, std::string_view boundary, int depth, std::size_t most,
                std::vector<batch_part>& to) {
    for (auto const part : split_parts(text, boundary, most)) {
        if (to.size() == most) return;
        batch_part head;
        auto rest = part;
        if (!starts_with_ignoring_case(trimmed(rest), "HTTP/")) take_headers(rest, head.headers);
        auto const type = head.header("Content-Type").value_or(std::string_view{});
        if (depth < deepest_nesting && starts_with_ignoring_case(type, "multipart/")) {
            auto const inner = boundary_in(type);
            read_parts(rest, inner.empty() ? first_delimiter(rest) : inner, depth + 1, most, to);
        } else if (auto answer = answer_in(part)) {
            to.push_back(std::move(*answer));
        }
    }
}

}  // namespace

std::string_view take_line(std::string_view& text) noexcept {
    auto const end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void take_headers(std::string_view& text, header_views& headers) {
    while (!text.empty() && !text.starts_with('{') && !text.starts_with('<')) {
        auto const line = take_line(text);
        if (trimmed(line).empty()) return;
        auto const colon = line.find(':');
        if (colon == std::string_view::npos || headers.size() == most_headers) continue;
        headers.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
}

std::string_view boundary_in(std::string_view content_type) noexcept {
    while (!content_type.empty()) {
        auto const end = std::min(content_type.find(';'), content_type.size());
        auto const parameter = trimmed(content_type.substr(0, end));
        content_type.remove_prefix(std::min(end + 1, content_type.size()));
        if (!starts_with_ignoring_case(parameter, "boundary=")) continue;
        auto value = parameter.substr(std::string_view{"boundary="}.size());
        if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"')) {
            value.remove_prefix(1);
            value.remove_suffix(1);
        }
        return value;
    }
    return {};
}

std::vector<std::string_view> split_parts(std::string_view text, std::string_view boundary, std::size_t most) {
    std::vector<std::string_view> parts;
    char const* from = nullptr;
    while (!text.empty() && parts.size() < most) {
        char const* const begin_of_line = text.data();
        auto const line = take_line(text);
        if (!is_delimiter(line, boundary)) continue;
        if (from) parts.emplace_back(from, static_cast<std::size_t>(begin_of_line - from));
        from = text.data();
        if (trimmed(line).size() > boundary.size() + 2) from = nullptr;
    }
    if (from && parts.size() < most) parts.emplace_back(from, static_cast<std::size_t>(text.data() - from));
    return parts;
}

std::optional<std::string_view> batch_part::header(std::string_view name) const noexcept {
    for (auto const& [n, value] : headers)
        if (equal_ignoring_case(n, name)) return value;
    return std::nullopt;
}

std::vector<batch_part> read_batch(std::string_view content_type, std::string_view body, std::size_t most) {
    std::vector<batch_part> parts;
    if (auto const boundary = boundary_in(content_type); !boundary.empty()) read_parts(body, boundary, 1, most, parts);
    if (!parts.empty()) return parts;
    if (auto const boundary = first_delimiter(body); !boundary.empty()) read_parts(body, boundary, 1, most, parts);
    return parts;
}

}  // namespace tablemap::detail
