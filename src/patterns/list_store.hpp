// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/list_rows.hpp"
#include "store/refusals.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Reading lists, and preparing their writes.
namespace tablemap::inline v0_1::detail {

/// A write of a list that is ready to be sent. The row of the list is what counts: until it is written, nobody reads
/// the new blob, and after that nobody reads the old one.
struct list_write {
    encoded_write row{};
    std::string new_blob{};  ///< that was stored for it; empty: none
    std::string old_blob{};  ///< that it replaces; empty: none
};

/// All is borrowed.
class list_store {
public:
    list_store(list_state const& table, environment const& env) : table_(table), env_(env) {}

    /// Reads a list with its blob. If a writer replaces the blob meanwhile, both are read again. A list that cannot be
    /// read has `damage`.
    task<result<stored_list>> read(list_address const& at, bool current) const;

    /// The same for several, whose rows are read beside each other. Errors: those of the requests, and of a damaged
    /// list.
    task<result<std::vector<stored_list>>> read_all(std::vector<list_address> const& all) const;

    /// Makes the write that leaves these lines of a list. Stores the blob of a large one. Errors:
    /// `library_errc::value_too_large`.
    task<result<list_write>> prepare(list_address const& at, stored_list const& old, list_lines const& lines,
                                     guid write) const;

    /// The request that sends it.
    request to_send(list_address const& at, list_write const& w) const {
        return write_entity{table_of(table_, at.index), w.row.operation()};
    }

    /// Deletes a blob that no row names any more, or will ever name. If that fails it stays until a repair.
    task<> drop(std::string_view blob) const;

private:
    request read_request(list_address const& at, bool current) const {
        return get_entity{table_of(table_, at.index), at.partition_key, at.row_key, {}, current};
    }
    task<result<void>> follow(list_address const& at, stored_list& list) const;
    task<result<bool>> fetch(list_address const& at, stored_list& list) const;
    task<result<void>> put(std::string const& name, std::string_view bytes) const;
    bool belongs_in_row(stored_list const& old, list_lines const& lines, std::size_t bytes) const noexcept;

    list_state const& table_;
    environment const& env_;
};

}  // namespace tablemap::detail
