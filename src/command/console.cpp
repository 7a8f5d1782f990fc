// SPDX-License-Identifier: Apache-2.0
#include "command/console.hpp"

#include "base/direction.hpp"
#include "tablemap/base/redaction.hpp"

#include <array>
#include <cstdio>
#include <iostream>
#include <ostream>

#include <unistd.h>

namespace tablemap::inline v0_1::command {
namespace {

constexpr std::chrono::milliseconds between_lines{100};
constexpr std::string_view erase_line = "\r\x1b[K";

}  // namespace

void console::note(std::string_view line) {
    end_progress();
    error_ << line << '\n' << std::flush;
}

int console::fail(exit_code code, std::string_view text) {
    note("tablemap: " + printable(redacted(text)));
    return code;
}

void console::progress(std::string_view line) {
    if (!terminals_.error) return;
    auto const now = std::chrono::steady_clock::now();
    if (shown_ && now < next_) return;
    error_ << erase_line << printable(line) << std::flush;
    shown_ = true;
    next_ = now + between_lines;
}

void console::end_progress() {
    if (!shown_) return;
    error_ << erase_line << std::flush;
    shown_ = false;
}

console standard_console() {
    return {std::cout, std::cerr, {.out = isatty(STDOUT_FILENO) != 0, .error = isatty(STDERR_FILENO) != 0}};
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (auto const turn = detail::turning_bytes(text.substr(i)); turn > 0) {
            out += '?', i += turn - 1;
            continue;
        }
        char const c = text[i];
        auto const byte = static_cast<unsigned char>(c);
        // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
        bool const obeyed_pair = byte >= 0x80 && byte <= 0x9F && out.ends_with('\xC2');
        if (obeyed_pair) out.pop_back();
        bool const obeyed = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f || obeyed_pair;
        out += obeyed ? '?' : c;
    }
    return out;
}

std::string bytes_for_people(std::size_t n) {
    constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    auto amount = static_cast<double>(n);
    std::size_t unit = 0;
    while (amount >= 1024 && unit + 1 < units.size()) amount /= 1024, ++unit;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", amount, units[unit]);
    return text.data();
}

}  // namespace tablemap::inline v0_1::command
