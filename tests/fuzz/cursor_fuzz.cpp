// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_target.hpp"

#include "embedded/cursor.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/detail/query/cursor.hpp"

/// Input: a byte, which counts the partitions of the query, and the text of a cursor. One that is accepted is written
/// as the same text.
namespace tablemap::fuzz {
namespace {

constexpr std::uint64_t query = 0x0102030405060708;

}  // namespace

TABLEMAP_FUZZ_TARGET(cursor) {
    if (input.empty()) return;
    auto const ranges = static_cast<std::size_t>(input.front() & 7);
    input.remove_prefix(1);
    if (auto const read = detail::read_cursor(input, query, ranges)) {
        require(read->size() == ranges, "a cursor has the partitions of its query");
        require(detail::write_cursor(query, *read) == input, "a cursor that is accepted is written as it was");
    }
    try {
        auto const token = detail::embedded::open_cursor(input);
        require(detail::embedded::seal_cursor(token) == input,
                "an embedded cursor that is accepted is written as it was");
    } catch (error const& e) {
        require(e.code() == library_errc::invalid_cursor, "a cursor is refused as such");
    }
}

}  // namespace tablemap::fuzz
