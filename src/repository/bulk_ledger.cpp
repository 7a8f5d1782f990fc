// SPDX-License-Identifier: Apache-2.0
#include "tablemap/repository/bulk_ledger.hpp"

#include <charconv>
#include <optional>

namespace tablemap {
namespace {

// The text: "1", then for each run of rows a letter and their number, then "." and the number of all rows, so that a text that
// was cut short is noticed. Never to be changed.
constexpr std::string_view version = "1";
constexpr std::string_view letters = "nsfd";
constexpr std::size_t rows_per_word = 32;

/// Takes a number off the front.
std::optional<std::size_t> take_number(std::string_view& text) noexcept {
    std::size_t n = 0;
    auto const [end, e] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (e != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}

failure no_ledger() {
    return fail(library_errc::invalid_ledger, {.reason = "give the whole text that bulk_ledger::text() wrote"});
}

}  // namespace

row_state bulk_ledger::state(std::size_t position) const noexcept {
    if (position >= rows_) return row_state::not_sent;
    return static_cast<row_state>(states_[position / rows_per_word] >> (2 * (position % rows_per_word)) & 3);
}

void bulk_ledger::set(std::size_t position, row_state s) noexcept {
    auto const shift = 2 * (position % rows_per_word);
    auto& word = states_[position / rows_per_word];
    --counts_[word >> shift & 3];
    word = (word & ~(std::uint64_t{3} << shift)) | std::uint64_t{static_cast<std::uint8_t>(s)} << shift;
    ++counts_[static_cast<std::size_t>(s)];
}

std::size_t bulk_ledger::add_rows(std::size_t count, row_state s) {
    auto const first = rows_;
    states_.resize((rows_ + count + rows_per_word - 1) / rows_per_word);
    rows_ += count;
    counts_[0] += count;
    if (s != row_state::not_sent)
        for (auto i = first; i < rows_; ++i) set(i, s);
    return first;
}

std::string bulk_ledger::text() const {
    std::string out{version};
    for (std::size_t i = 0; i < rows_;) {
        auto const s = state(i);
        auto const from = i;
        while (i < rows_ && state(i) == s) ++i;
        out += letters[static_cast<std::size_t>(s)];
        out += std::to_string(i - from);
    }
    out += '.';
    return out += std::to_string(rows_);
}

result<bulk_ledger> bulk_ledger::parse(std::string_view text) {
    // More rows than any ledger can have had must not ask for the memory.
    constexpr std::size_t most = std::size_t{1} << 40;
    if (!text.starts_with(version)) return no_ledger();
    text.remove_prefix(version.size());
    bulk_ledger l;
    while (!text.empty() && text.front() != '.') {
        auto const s = letters.find(text.front());
        text.remove_prefix(1);
        auto const count = take_number(text);
        if (s == std::string_view::npos || !count || *count > most - l.rows_) return no_ledger();
        l.add_rows(*count, static_cast<row_state>(s));
    }
    if (text.empty()) return no_ledger();
    text.remove_prefix(1);
    auto const rows = take_number(text);
    if (!rows || *rows != l.rows_ || !text.empty()) return no_ledger();
    return l;
}

}  // namespace tablemap
