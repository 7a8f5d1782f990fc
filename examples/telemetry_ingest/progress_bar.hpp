// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include <unistd.h>

/// A line on standard error with the progress of a bulk write, its rate and the remaining time. It is drawn at most ten
/// times a second, and only if standard error is a terminal.
class progress_bar {
public:
    progress_bar(std::string label, std::size_t total)
        : label_(std::move(label)), total_(total), is_terminal_(isatty(fileno(stderr)) != 0) {}
    ~progress_bar() {
        if (drawn_) std::fputs("\r\033[K", stderr);  // later output is printed in its place
    }
    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;

    /// `before`: the part of `done` that an earlier run did. `note`: a text behind the bar, such as the number of
    /// retries.
    void show(std::size_t done, std::size_t before, std::string const& note) {
        auto const now = clock::now();
        if (!is_terminal_ || (drawn_ && now < next_)) return;
        next_ = now + std::chrono::milliseconds{100};
        drawn_ = true;
        std::fprintf(stderr, "\r\033[K%s %s", label_.c_str(), text(done, before, now - begin_).c_str());
        if (!note.empty()) std::fprintf(stderr, "  %s", note.c_str());
        std::fflush(stderr);
    }

    /// "[########........] 50 %  1200/s  0:10 left"
    std::string text(std::size_t done, std::size_t before, std::chrono::duration<double> after) const {
        constexpr std::size_t width = 30;
        auto const of = std::max(total_, std::max<std::size_t>(done, 1));
        auto const filled = width * done / of;
        auto const rate = after.count() > 0 ? static_cast<double>(done - before) / after.count() : 0.0;
        auto out = '[' + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                   std::to_string(100 * done / of) + " %  " + std::to_string(static_cast<long long>(rate)) + "/s";
        if (rate > 0 && done < of) {
            auto const left = static_cast<long long>(static_cast<double>(of - done) / rate);
            auto const seconds = std::to_string(left % 60);
            out += "  " + std::to_string(left / 60) + (left % 60 < 10 ? ":0" : ":") + seconds + " left";
        }
        return out;
    }

private:
    using clock = std::chrono::steady_clock;

    std::string label_;
    std::size_t total_;
    bool is_terminal_;
    clock::time_point begin_ = clock::now();
    clock::time_point next_{};
    bool drawn_ = false;
};
