// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "tablemap/bulk/bulk_ledger.hpp"

/// Input: the text of a ledger. One that is read is written as a text that reads as the same ledger.
namespace tablemap::fuzz {

TABLEMAP_FUZZ_TARGET(ledger) {
    // A ledger of 2^32 rows takes a GiB, as its page says: here it may have ten million.
    if (auto const point = input.rfind('.'); point != std::string_view::npos && input.size() - point > 8) return;
    auto const read = bulk_ledger::parse(input);
    if (!read) return;
    std::size_t sum = 0;
    for (auto const s : {row_state::not_sent, row_state::stored, row_state::failed, row_state::in_doubt})
        sum += read->count(s);
    require(sum == read->rows(), "every row is counted once");
    auto const text = read->text();
    auto const again = bulk_ledger::parse(text);
    require(again && *again == *read, "a ledger that is written reads as the same");
    require(again->text() == text, "its text stays the same");
}

}  // namespace tablemap::fuzz
