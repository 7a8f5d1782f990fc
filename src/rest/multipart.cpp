// SPDX-License-Identifier: Apache-2.0
#include "rest/multipart.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

namespace tablemap::inline v0_1::detail {
namespace {

constexpr int deepest_nesting = 2;         // a batch holds change sets, and these hold answers
constexpr std::size_t most_headers = 100;  // of one part; the service sends about ten

bool is_blank_line(std::string_view line) noexcept { return std::all_of(line.begin(), line.end(), is_blank); }

enum class delimiter { none, next, last };

/// A line that delimits parts has the start, which is two dashes and the boundary, then nothing or two dashes, which
/// tell the last one.
delimiter delimiter_in(std::string_view line, std::string_view start) noexcept {
    if (!line.starts_with(start)) return delimiter::none;
    line = trimmed(line.substr(start.size()));
    if (line.empty()) return delimiter::next;
    return line == "--" ? delimiter::last : delimiter::none;
}

/// Goes on to the next line that begins so; false if there is none. The text begins with a line. `memmem` leaps over
/// most of the text, which `find` would read line by line.
bool find_line(std::string_view& text, std::string const& line_end_and_start) noexcept {
    if (text.empty() || text.starts_with(std::string_view{line_end_and_start}.substr(1))) return !text.empty();
    auto const* const at = static_cast<char const*>(
        ::memmem(text.data(), text.size(), line_end_and_start.data(), line_end_and_start.size()));
    text.remove_prefix(at ? static_cast<std::size_t>(at - text.data()) + 1 : text.size());
    return at != nullptr;
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
        batch_part part{.status = *status, .head = take_head(text)};
        part.body = trimmed(text);
        return part;
    }
    return std::nullopt;
}

void read_parts(std::string_view text, std::string_view boundary, int depth, std::size_t most,
                std::vector<batch_part>& to) {
    for (auto const part : split_parts(text, boundary, most)) {
        if (to.size() == most) return;
        auto rest = part;
        bool const has_head = !starts_with_ignoring_case(trimmed(rest), "HTTP/");
        auto const type = has_head ? header_in(take_head(rest), "Content-Type").value_or("") : "";
        if (depth < deepest_nesting && starts_with_ignoring_case(type, "multipart/")) {
            auto const inner = boundary_in(type);
            read_parts(rest, inner.empty() ? first_delimiter(rest) : inner, depth + 1, most, to);
        } else if (auto answer = answer_in(part)) {
            to.push_back(*answer);
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

std::string_view take_head(std::string_view& text) noexcept {
    auto const* const begin = text.data();
    while (!text.empty() && !text.starts_with('{') && !text.starts_with('<'))
        if (auto const line = take_line(text); is_blank_line(line)) return {begin, line.data()};
    return {begin, text.data()};
}

header_views headers_in(std::string_view head) {
    header_views headers;
    while (!head.empty() && headers.size() < most_headers) {
        auto const line = take_line(head);
        if (auto const colon = line.find(':'); colon != std::string_view::npos)
            headers.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    return headers;
}

std::optional<std::string_view> header_in(std::string_view head, std::string_view name) noexcept {
    while (!head.empty()) {
        auto line = trimmed(take_line(head));
        if (!starts_with_ignoring_case(line, name)) continue;
        line = trimmed(line.substr(name.size()));
        if (line.starts_with(':')) return trimmed(line.substr(1));
    }
    return std::nullopt;
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
    auto const line_end_and_start = std::string{"\n--"}.append(boundary);
    auto const start = std::string_view{line_end_and_start}.substr(1);
    std::vector<std::string_view> parts;
    char const* from = nullptr;
    while (parts.size() < most && find_line(text, line_end_and_start)) {
        auto const* const begin_of_line = text.data();
        auto const found = delimiter_in(take_line(text), start);
        if (found == delimiter::none) continue;
        if (from) parts.emplace_back(from, begin_of_line);
        from = found == delimiter::last ? nullptr : text.data();
    }
    if (from && parts.size() < most) parts.emplace_back(from, text.data());
    return parts;
}

std::vector<batch_part> read_batch(std::string_view content_type, std::string_view body, std::size_t most) {
    std::vector<batch_part> parts;
    if (auto const boundary = boundary_in(content_type); !boundary.empty()) read_parts(body, boundary, 1, most, parts);
    if (!parts.empty()) return parts;
    if (auto const boundary = first_delimiter(body); !boundary.empty()) read_parts(body, boundary, 1, most, parts);
    return parts;
}

}  // namespace tablemap::detail
