// SPDX-License-Identifier: Apache-2.0
#include "tablemap/bulk/bulk_ledger.hpp"

#include <charconv>
#include <optional>
#include <utility>

namespace tablemap::inline v0_1 {
namespace {

// The text: "1", then for each run of rows a letter and their number, then "." and the number of all rows, so that a
// text that was cut short is noticed; "+" in place of "." if the ledger is open. Never to be changed.
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
    if (position >= rows_) return open_ ? row_state::in_doubt : row_state::not_sent;
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
    // Bits beyond the last row stay 0, since ledgers are compared by their words.
    constexpr auto all = ~std::uint64_t{0};
    auto const pattern = all / 3 * static_cast<std::uint64_t>(s);
    auto const first = rows_;
    states_.resize((first + count + rows_per_word - 1) / rows_per_word, pattern);
    if (auto const used = first % rows_per_word; used > 0) states_[first / rows_per_word] |= pattern << 2 * used;
    rows_ += count;
    if (auto const used = rows_ % rows_per_word; used > 0) states_.back() &= ~(all << 2 * used);
    counts_[static_cast<std::size_t>(s)] += count;
    return first;
}

void bulk_ledger::leave_open() noexcept {
    // not_sent is two bits of 0, in_doubt two of 1.
    constexpr auto low_bits = ~std::uint64_t{0} / 3;
    for (auto& word : states_) word |= (~(word | word >> 1) & low_bits) * 3;
    if (auto const used = rows_ % rows_per_word; used > 0) states_.back() &= ~(~std::uint64_t{0} << 2 * used);
    counts_[static_cast<std::size_t>(row_state::in_doubt)] +=
        std::exchange(counts_[static_cast<std::size_t>(row_state::not_sent)], 0);
    open_ = true;
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
    out += open_ ? '+' : '.';
    return out += std::to_string(rows_);
}

result<bulk_ledger> bulk_ledger::parse(std::string_view text) {
    // The text may come from anywhere: no memory is asked for before all of it has been read.
    constexpr std::size_t most = std::size_t{1} << 32;
    if (!text.starts_with(version)) return no_ledger();
    text.remove_prefix(version.size());
    std::vector<std::pair<row_state, std::size_t>> runs;
    std::size_t sum = 0;
    while (!text.empty() && text.front() != '.' && text.front() != '+') {
        auto const s = letters.find(text.front());
        text.remove_prefix(1);
        auto const count = take_number(text);
        if (s == std::string_view::npos || !count || *count > most - sum) return no_ledger();
        runs.emplace_back(static_cast<row_state>(s), *count);
        sum += *count;
    }
    if (text.empty()) return no_ledger();
    bool const open = text.front() == '+';
    text.remove_prefix(1);
    auto const rows = take_number(text);
    if (!rows || *rows != sum || !text.empty()) return no_ledger();
    bulk_ledger l;
    l.states_.reserve((sum + rows_per_word - 1) / rows_per_word);
    for (auto const& [s, count] : runs) l.add_rows(count, s);
    l.open_ = open;
    return l;
}

}  // namespace tablemap
