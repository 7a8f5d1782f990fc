// SPDX-License-Identifier: Apache-2.0
#include "patterns/log_buffer.hpp"

#include <algorithm>

namespace tablemap::inline v0_1::detail {
namespace {

std::string escaped(std::string_view line) {
    std::string text;
    text.reserve(line.size() + 1);
    for (char const c : line) {
        if (c == '\n')
            text += "\\n";
        else
            text.append(c == '\\' ? 2 : 1, c);
    }
    return text;
}

}  // namespace

log_buffer::log_buffer(std::size_t most, std::uint64_t most_of_block) noexcept
    : most_(most),
      most_of_block_(static_cast<std::size_t>(std::min<std::uint64_t>(limits::appended_bytes, most_of_block))) {}

std::size_t log_buffer::longest_line() const noexcept { return std::min(most_, limits::appended_bytes); }

bool log_buffer::needs_block(ticks period, std::size_t bytes) const noexcept {
    if (blocks_.empty()) return true;
    auto const& last = blocks_.back();
    return last.in_doubt || last.period != period || last.bytes.size() + bytes > most_of_block_;
}

void log_buffer::add(ticks period, std::string_view line_with_break) {
    if (needs_block(period, line_with_break.size())) blocks_.push_back({.period = period});
    auto& last = blocks_.back();
    last.bytes += line_with_break;
    ++last.lines;
    bytes_ += line_with_break.size();
    ++lines_;
}

void log_buffer::pop() {
    bytes_ -= blocks_.front().bytes.size();
    lines_ -= blocks_.front().lines;
    blocks_.pop_front();
}

std::string log_buffer::text() const {
    std::string all;
    all.reserve(bytes_);
    for (auto const& block : blocks_) all += block.bytes;
    return all;
}

std::size_t log_buffer::bytes_in_doubt() const noexcept {
    return !empty() && front().in_doubt ? front().bytes.size() : 0;
}

result<std::string> stored_line(std::string_view line, line_breaks breaks) {
    if (breaks == line_breaks::refused && line.find('\n') != std::string_view::npos)
        return fail(service_errc::invalid_input,
                    {.reason = "a line of a log holds no line break; write several lines, or set log_format::breaks to "
                               "line_breaks::escaped for the writers and the readers of this log"});
    auto text = breaks == line_breaks::escaped ? escaped(line) : std::string{line};
    text += '\n';
    return text;
}

std::string line_of_stored(std::string_view stored, line_breaks breaks) {
    if (breaks == line_breaks::refused) return std::string{stored};
    std::string line;
    line.reserve(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        bool const escape =
            stored[i] == '\\' && i + 1 < stored.size() && (stored[i + 1] == 'n' || stored[i + 1] == '\\');
        if (escape) ++i;
        line += escape && stored[i] == 'n' ? '\n' : stored[i];
    }
    return line;
}

}  // namespace tablemap::detail
