// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_ledger.hpp"

#include <cstddef>
#include <string>

namespace tablemap::inline v0_1::command {

/// The state of each row of an import, in a file, so that another process goes on where one ended.
///
///     tablemap import 1
///     target <the table>, <the store without its secrets>
///     source <size> <time of the last change> <path>
///     rows <bulk_ledger::text>
class import_ledger {
public:
    /// Reads the ledger at `path`, or begins one. An empty path keeps it in memory alone.
    ///
    /// \throws usage_error for a file that is no ledger, or one of another import
    import_ledger(std::string path, std::string const& target, std::string const& source);

    bool is_stored(std::size_t position) const noexcept { return rows_.state(position) == row_state::stored; }
    void set(std::size_t position, row_state s);

    /// Writes the file. Until `finish`, rows behind the last may have been sent.
    void save() const;

    /// Removes the file if every row is stored: a later import of the same file begins anew. Else writes it.
    void finish() const;

    bulk_ledger const& rows() const noexcept { return rows_; }

private:
    std::string path_;
    std::string head_;
    bulk_ledger rows_{};
};

/// Identifies a file as it is now: its size, the time of its last change and its path.
///
/// \throws std::filesystem::filesystem_error
std::string identity_of(std::string const& file);

}  // namespace tablemap::inline v0_1::command
