// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap {

/// How a row of a bulk write ended.
enum class row_state : std::uint8_t {
    not_sent,  ///< nothing of it is in the store: the call ended first
    stored,    ///< its write was carried out
    failed,    ///< its write was refused, and changed nothing
    in_doubt,  ///< an answer was lost: it may be stored or not
};

/// What became of each row of a bulk write, by its position in the source. As text another process can go on from it: given the
/// same source, rows that are stored are passed over and the others tried again (`bulk_options::resume`).
///
/// Memory: two bits for each row. Thread safety: as of a std::vector.
class bulk_ledger {
public:
    std::size_t rows() const noexcept { return rows_; }

    /// How many rows ended so.
    std::size_t count(row_state s) const noexcept { return counts_[static_cast<std::size_t>(s)]; }

    /// Of a position beyond the last row: `not_sent`; `in_doubt` in a ledger that is open.
    row_state state(std::size_t position) const noexcept;

    /// True if every row is stored.
    bool complete() const noexcept { return !open_ && count(row_state::stored) == rows_; }

    /// True if the write was running when this was taken. Rows that had not ended then are in doubt in it, and so are those behind
    /// the last: they may have been sent since.
    bool is_open() const noexcept { return open_; }

    /// ASCII without blanks, short where neighbours ended alike: a version, then how many rows in a row ended how.
    std::string text() const;

    /// What `text` wrote, of up to 2^32 rows: a GiB. Errors: `library_errc::invalid_ledger`.
    static result<bulk_ledger> parse(std::string_view text);

    /// A new row at the end, `not_sent`. Returns its position.
    std::size_t add_row() { return add_rows(1, row_state::not_sent); }
    void set(std::size_t position, row_state s) noexcept;

    /// Makes this the ledger of a write that goes on: what is not sent may be by the time it is read again.
    void leave_open() noexcept;

    friend bool operator==(bulk_ledger const&, bulk_ledger const&) = default;

private:
    std::size_t add_rows(std::size_t count, row_state s);

    std::vector<std::uint64_t> states_{};
    std::size_t rows_ = 0;
    std::array<std::size_t, 4> counts_{};
    bool open_ = false;
};

}  // namespace tablemap
