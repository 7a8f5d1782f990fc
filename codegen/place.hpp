// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::codegen {

/// Where in its source something was said, both counted from 1, columns in characters. 0 for what no source said.
struct place {
    std::size_t line = 0;
    std::size_t column = 0;

    friend auto operator<=>(place const&, place const&) = default;
};

/// Something wrong at a place: what was found, what was expected, what to do.
struct fault {
    place at{};
    std::string text{};

    friend auto operator<=>(fault const&, fault const&) = default;
};

/// Collects what is wrong, so that all of it is told at once.
class fault_list {
public:
    void add(place at, std::string text);

    bool empty() const noexcept { return faults_.empty(); }
    std::size_t size() const noexcept { return faults_.size(); }

    /// In the order of places, each once.
    std::vector<fault> sorted() const;

private:
    std::vector<fault> faults_;
};

/// One line for each fault, `file:line:column: error: text`; without the numbers where there is no place.
std::string describe(std::vector<fault> const& faults, std::string_view file);

/// Text from a schema as a message shows it: in quotes, shortened, without control characters.
std::string in_quotes(std::string_view text);

/// The known word that looks most like the one found; empty if none does.
std::string_view nearest(std::string_view found, std::vector<std::string_view> const& known);

/// `; did you mean 'x'?` for the nearest word, else `; known are a, b and c`, or that there are none.
std::string suggestion(std::string_view found, std::vector<std::string_view> const& known);

/// `a, b and c`.
std::string listed(std::vector<std::string_view> const& words, std::string_view last = "and");

}  // namespace tablemap::codegen
