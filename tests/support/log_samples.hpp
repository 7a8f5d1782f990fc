// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/blob/blob_container.hpp"
#include "tablemap/patterns/log_reader.hpp"
#include "tablemap/patterns/log_writer.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tablemap::test {

/// A time of the last of July of 2014, in UTC.
inline ticks july_31(int hour, int minute = 0) {
    using namespace std::chrono;
    return ticks{sys_days{year{2014} / month{7} / day{31}} + hours{hour} + minutes{minute}};
}

/// The destructor of a process that is killed does not run: such writers do not write at last.
inline log_options on_july_31(int hour, log_options o = {}) {
    o.now = [hour] { return july_31(hour); };
    o.last_flush = std::chrono::nanoseconds{0};
    if (!o.on_lost) o.on_lost = [](lost_lines const&) {};
    return o;
}

inline log_format requests_log(log_per per = log_per::hour, line_breaks breaks = line_breaks::refused) {
    return {.name = "requests", .per = per, .breaks = breaks};
}

/// The texts of lines; the test fails for one that is not whole.
inline std::vector<std::string> texts_of(log_lines&& lines) {
    std::vector<std::string> all;
    for (auto const& line : lines) all.push_back(line.whole ? line.text : "not whole: " + line.text);
    return all;
}

template <class Span> std::vector<std::string> lines_in(store_ptr s, Span const& when, log_format f = requests_log()) {
    return texts_of(log_reader{std::move(s), "logs", std::move(f)}.lines(when));
}
inline std::vector<std::string> all_lines(store_ptr s, log_format f = requests_log()) {
    return lines_in(std::move(s), period<>{}, std::move(f));
}

inline std::vector<std::string> names_of(std::vector<log_file> const& files) {
    std::vector<std::string> names;
    for (auto const& f : files) names.push_back(f.name);
    return names;
}
inline std::vector<std::string> all_files(store_ptr s, log_format f = requests_log()) {
    return names_of(log_reader{std::move(s), "logs", std::move(f)}.files());
}

}  // namespace tablemap::test
