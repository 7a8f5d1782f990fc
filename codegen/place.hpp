// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::codegen {

/// A place in the source, both numbers counted from 1, columns in characters. 0 for parts that are in no source.
struct place {
    std::size_t line = 0;
    std::size_t column = 0;

    friend auto operator<=>(place const&, place const&) = default;
};

/// A fault at a place: the text that was found, the expected one, and the remedy.
struct fault {
    place at{};
    std::string text{};

    friend auto operator<=>(fault const&, fault const&) = default;
};

/// Collects faults, so that all of them are reported at once.
class fault_list {
public:
    void add(place at, std::string text);

    bool empty() const noexcept { return faults_.empty(); }
    std::size_t size() const noexcept { return faults_.size(); }

    /// The faults in the order of their places, each once.
    std::vector<fault> sorted() const;

private:
    std::vector<fault> faults_;
};

/// One line for each fault, `file:line:column: error: text`; without the numbers where there is no place.
std::string describe(std::vector<fault> const& faults, std::string_view file);

/// Text from a schema for a message: in quotes, shortened, without control characters.
std::string in_quotes(std::string_view text);

/// The known word that is most similar to the one found; empty if none is.
std::string_view nearest(std::string_view found, std::vector<std::string_view> const& known);

/// `; did you mean 'x'?` for the nearest word, else `; known are a, b and c`, or that there are none.
std::string suggestion(std::string_view found, std::vector<std::string_view> const& known);

/// `a, b and c`.
std::string listed(std::vector<std::string_view> const& words, std::string_view last = "and");

}  // namespace tablemap::codegen
