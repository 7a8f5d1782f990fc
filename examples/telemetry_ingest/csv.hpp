// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reading.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

/// Writes a reading as a line of a file: "d017,2024-02-28T00:00:00Z,21.5".
inline std::ostream& operator<<(std::ostream& out, reading const& r) {
    char celsius[32];
    auto const end = std::to_chars(celsius, celsius + sizeof celsius, r.celsius).ptr;
    return out << r.device << ',' << r.at.text() << ',' << std::string_view{celsius, end};
}

/// Nothing if the line is not a reading.
inline std::optional<reading> parse_reading(std::string_view line) {
    auto const first = line.find(','), second = line.find(',', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    auto const at = tablemap::ticks::parse(line.substr(first + 1, second - first - 1));
    reading r{.device = std::string{line.substr(0, first)}};
    auto const end = line.data() + line.size();
    auto const [rest, fault] = std::from_chars(line.data() + second + 1, end, r.celsius);
    bool const is_number = fault == std::errc{} && rest == end && std::isfinite(r.celsius);
    if (r.device.empty() || !at || !at->storable() || !is_number) return std::nullopt;
    r.at = *at;
    return r;
}

/// The readings of a file, one in each line.
class reading_file {
public:
    explicit reading_file(std::string name) : name_(std::move(name)), in_(name_) {
        if (!in_) throw std::runtime_error(name_ + " cannot be opened");
    }

    /// Nothing at the end. Throws the fault of a line.
    std::optional<reading> next() {
        if (!std::getline(in_, line_)) {
            if (in_.bad()) throw std::runtime_error(name_ + " cannot be read to its end");
            return std::nullopt;
        }
        ++lines_;
        auto r = parse_reading(line_);
        if (!r)
            throw std::runtime_error(name_ + ", line " + std::to_string(lines_) +
                                     " is not a reading: correct it, to the form d017,2024-02-28T00:00:00Z,21.5");
        return r;
    }

    std::size_t lines() const noexcept { return lines_; }

private:
    std::string name_;
    std::ifstream in_;
    std::string line_{};
    std::size_t lines_ = 0;
};
