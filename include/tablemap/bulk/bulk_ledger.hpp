// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1 {

/// The state of a row after a bulk write.
enum class row_state : std::uint8_t {
    not_sent,  ///< nothing of it is in the store: the call ended first
    stored,    ///< its write was carried out
    failed,    ///< its write was refused, and changed nothing
    in_doubt,  ///< a response was lost: it may be stored or not
};

/// The state of each row of a bulk write, by its position in the source. Saved as text it lets another process resume
/// the write: given the same source, stored rows are passed over and the others tried again (`bulk_options::resume`).
/// It holds two bits for each row.
///
/// \par Thread safety
/// As of a std::vector.
class bulk_ledger {
public:
    std::size_t rows() const noexcept { return rows_; }

    /// The number of rows in this state.
    std::size_t count(row_state s) const noexcept { return counts_[static_cast<std::size_t>(s)]; }

    /// The state of a row. A position beyond the last row is `not_sent`; `in_doubt` in a ledger that is open.
    row_state state(std::size_t position) const noexcept;

    /// True if every row is stored.
    bool complete() const noexcept { return !open_ && count(row_state::stored) == rows_; }

    /// True if the write was running when this was taken. Rows that had not ended then are in doubt in it, and so are
    /// those behind the last: they may have been sent since.
    bool is_open() const noexcept { return open_; }

    /// The ledger as ASCII without blanks: a version, then the runs of rows in one state, each with its length.
    std::string text() const;

    /// Reads the output of `text`, of up to 2^32 rows, which take a GiB.
    ///
    /// \throws error `library_errc::invalid_ledger`
    static result<bulk_ledger> parse(std::string_view text);

    /// Adds a row at the end, `not_sent`.
    ///
    /// \return its position
    std::size_t add_row() { return add_rows(1, row_state::not_sent); }
    void set(std::size_t position, row_state s) noexcept;

    /// Marks the write as running: rows that are not sent yet may have been sent when the ledger is read again.
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
