// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/write/index_keeping.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The group that writes entities and their rows in indexes: the same for single writes, `modify`, rewrites,
/// transactions and bulk writes.
namespace tablemap::inline v0_1::detail {

/// The bytes of a group that rows of indexes take.
std::size_t transaction_bytes_of(capabilities const& can, std::string_view table, std::string_view partition_key,
                                 std::vector<companion> const& rows) noexcept;

/// Appends the reads of rows that have to be read before the plan is carried out, and takes their responses off the
/// front of `answers`; see `companion`. The reads borrow from the plan and the write.
void add_looks(write_plan const& plan, encoded_write const& w, std::string_view table, std::vector<request>& to);
result<void> take_looks(write_plan& plan, encoded_write const& w, std::span<response>& answers);

/// The request that sends some operations, which are borrowed: a single one as a plain write.
request request_of(std::string_view table, std::span<write_operation const> operations);

/// The operations of a group transaction: first the entities, then the rows of indexes. The entities are counted from 0
/// as they are added.
class write_group {
public:
    /// True if the plan has a row that the group has already.
    bool touches(write_plan const& p) const noexcept;

    /// Adds a write, whose texts are borrowed, and the rows that are written with it. Of two entities' operations on
    /// one row one is made. Errors: `library_errc::unique_value_taken` where another entity of the group has the value.
    result<void> add(write_operation const& entity, std::vector<companion> rows);
    result<void> add(encoded_write const& w, write_plan const& p);

    /// Removes the rows of indexes, as they are now.
    std::vector<companion> take_rows();

    std::size_t members() const noexcept { return entities_.size(); }
    std::size_t size() const noexcept { return entities_.size() + rows_.size(); }  ///< in operations

    /// The bytes of all bodies, and of those the bytes of rows of indexes.
    std::size_t body_bytes() const noexcept;
    std::size_t body_bytes_of_rows() const noexcept;

    /// Valid until the next change.
    std::span<write_operation const> operations();

    /// The request that sends it: a single operation goes as a plain write. Valid until the next change.
    request to_send(std::string_view table) { return request_of(table, operations()); }

    /// True if the group failed because an index lacks a row, and was changed so that it may be sent again.
    bool repair(error const& e);

    /// True if the group failed because of a row of an index.
    bool is_about_row(error const& e) const noexcept { return row_at_fault(e) != nullptr; }

    /// The row of an index because of which the group failed, if that was changed after it was read. Borrowed.
    struct changed {
        std::size_t member;
        std::string_view row_key;
    };
    std::optional<changed> changed_row(error const& e) const noexcept;

    /// The error of the group as one of the member at fault, if one is: with that as `failed_index()`, and the index if
    /// it is a row of one.
    error explain(error const& e) const;

    /// The entity that is not as it was when the group was made.
    std::optional<std::size_t> changed_entity(error const& e) const noexcept;

private:
    struct row {
        companion what;
        std::size_t member;
    };

    row* find(std::string_view row_key) noexcept;
    row const* row_at_fault(error const& e) const noexcept;

    std::vector<write_operation> entities_{};
    std::vector<row> rows_{};
    std::vector<write_operation> operations_{};
};

}  // namespace tablemap::detail
