// SPDX-License-Identifier: Apache-2.0
#include "place.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tablemap::codegen {

void fault_list::add(place at, std::string text) { faults_.push_back({at, std::move(text)}); }

std::vector<fault> fault_list::sorted() const {
    auto all = faults_;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::string describe(std::vector<fault> const& faults, std::string_view file) {
    std::string text;
    for (auto const& f : faults) {
        text += file;
        if (f.at.line != 0) text += ":" + std::to_string(f.at.line) + ":" + std::to_string(f.at.column);
        text += ": error: " + f.text + "\n";
    }
    return text;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;
    std::string shown = "'";
    for (char const c : text.substr(0, most)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
    // A character that was cut is left out.
    if (text.size() > most) {
        while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) shown.pop_back();
        if (static_cast<unsigned char>(shown.back()) >= 0xC0U) shown.pop_back();
        shown += "...";
    }
    return shown + "'";
}

namespace {

/// The number of letters to insert, leave out, change or swap with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            auto const change = last[k - 1] + (a[i - 1] == b[k - 1] ? 0U : 1U);
            row[k] = std::min({last[k] + 1, row[k - 1] + 1, change});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = std::min(row[k], before_last[k - 2] + 1);
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view found, std::vector<std::string_view> const& known) {
    constexpr std::size_t most =
        300;  // words: comparing with thousands for each of thousands of faults would take minutes
    if (found.size() > 100 || known.size() > most) return {};
    std::string_view best;
    auto least = std::max<std::size_t>(1, found.size() / 3) + 1;
    for (auto const word : known)
        if (word.size() > found.size() + least)
            continue;
        else if (auto const d = distance(found, word); d < least) {
            least = d;
            best = word;
        }
    return best;
}

std::string suggestion(std::string_view found, std::vector<std::string_view> const& known) {
    if (known.empty()) return "; there are none, so declare it first";
    if (auto const best = nearest(found, known); !best.empty()) return "; did you mean " + in_quotes(best) + "?";
    constexpr std::size_t most = 50;
    if (known.size() > most) return "; it is none of the " + std::to_string(known.size()) + " that are known";
    return "; known are " + listed(known);
}

std::string listed(std::vector<std::string_view> const& words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i != 0) text += i + 1 == words.size() ? " " + std::string{last} + " " : ", ";
        text += words[i];
    }
    return text;
}

}  // namespace tablemap::codegen
