// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/request.hpp"
#include "tablemap/store/response.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Rows of indexes that are written together with their entity.
namespace tablemap::inline v0_1::detail {

/// A row of an index that is written in one group transaction with its entity. The erase of a missing row is left out,
/// and the replace of one becomes an insert.
///
/// The row of a unique index may belong to another entity if this entity has none: it was stored before the index was
/// declared, or by a program that does not know the index. So such a row is read before it is replaced or erased. If
/// its owner is this entity, it is written under the etag that was read; else it is left alone: an erase is left out,
/// and a replace becomes an insert, which the store refuses while the other's row is there. A store refuses a condition
/// without an etag, too: a row that was not read cannot be changed by mistake.
struct companion {
    write_kind kind{};
    std::string row_key{};
    std::string body{};
    std::string if_match{};    ///< empty until it was read, where reading is needed
    std::string_view index{};  ///< its name, static text

    /// Reads the row key of the owner from the stored row; null if the row can only belong to this entity.
    result<std::string> (*owner_of)(std::string& row) = nullptr;
};

/// True if the row has to be read before it is written.
inline bool needs_look(companion const& r) noexcept {
    return r.owner_of && is_conditional(r.kind) && r.if_match.empty();
}

/// Appends the reads of the rows that have to be read. They borrow from the rows.
void add_looks(std::vector<companion> const& rows, std::string_view table, std::string_view partition_key,
               std::vector<request>& to);

/// True for a response to a read that shows whether the row is there.
bool tells_presence(response const& read) noexcept;

/// Takes the response to the read of the first row that has to be read. `owner`: the row key of the entity. A row that
/// is not to be written is removed. Errors: `library_errc::malformed_response`, which does not show whose row it is.
result<void> take_look(std::vector<companion>& rows, std::string_view owner, response& read);

/// Takes the responses to the reads of all of them off the front of `answers`. Errors: the first of them.
result<void> take_looks(std::vector<companion>& rows, std::string_view owner, std::span<response>& answers);

/// True if a group was refused because this row was changed after it was read. Then it has to be read again.
bool was_changed(companion const& row, error const& e) noexcept;
void forget_look(std::vector<companion>& rows, std::string_view row_key) noexcept;

/// The repair of a group that an index row made fail.
enum class repairing : std::uint8_t {
    none,
    rewritten,  ///< the index lacked it: the row is inserted now
    left_out,   ///< the index lacked it, and it was to be erased
};
repairing repair(companion& row, error const& e);

/// The error of a group for an entity's row in an index: names the index. Errors: `library_errc::unique_value_taken`
/// for a row that was there, with its remedy; the same code otherwise.
error of_index_row(error const& e, std::string_view index);

}  // namespace tablemap::detail
