// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/patterns/index_relay_core.hpp"
#include "tablemap/detail/write/index_intent.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The changes that brought the rows elsewhere of an entity in step.
struct alignment {
    std::size_t written = 0, erased = 0, conflicts = 0;
    bool is_in_doubt = false;      ///< the response to a change was lost
    std::optional<error> fault{};  ///< set: the rows may still be out of step; in doubt if some may have been changed

    bool may_have_changed() const noexcept { return is_in_doubt || written + erased > 0; }
};

/// True if an intent that was read in a table names an entity of the relay's table.
bool is_of_entities(index_relay_core const& relay, index_intent const& intent, std::string_view read_in) noexcept;

/// True if a relay may carry out what an intent of its entities, read in a table, says about one of the rows: it is a
/// row of the relay's own indexes, and an intent beside a row lies beside it.
bool is_known(index_relay_core const& relay, index_intent const& intent, row_elsewhere const& row,
              std::string_view read_in) noexcept;

/// The name of the table of a row elsewhere.
std::string_view table_of(index_relay_core const& relay, row_elsewhere const& row) noexcept;

/// The rows elsewhere that the response to a read of an entity implies; none if the entity is not there. The response's
/// body may grow in capacity. Errors: that of the read; those of `index_set::add_rows`.
result<std::vector<index_row>> rows_elsewhere_of(index_relay_core const& relay, response& base);

/// Makes some rows elsewhere of an entity what its base row implies: writes those that it implies, and erases the
/// others. Any number of relays may do so at once, while others write the entity. The base row may imply more rows:
/// each that is not as it should be is named by an intent that is still stored.
///
/// It reads the rows first and then the base row, and changes the rows under the etags that it read. So of two relays
/// the one that read an older base row has read the rows before that was replaced. Once the other one has written them
/// for the newer base row, they have other etags, which is why they are written even if they are equal. The changes of
/// the first are refused then, and it begins again.
///
/// A row that was absent has no etag. A relay that inserts it reads the base row once more, and begins again if that
/// was changed. No other re-read is needed: whoever writes the base row later stores an intent of its own, which is not
/// among those that are carried out here.
///
/// A relay may end between its insert and that second look, or its insert may arrive late, when others have carried out
/// and erased each intent that named the row. So an intent is inserted beside the row, in one group transaction. It is
/// erased only when the row is known to be what the base row implies, and only as it was inserted: a request that is
/// repeated may store it twice. Any relay of the same table of entities that sweeps finds it, and carries it out like
/// other intents.
///
/// The relay and the key are borrowed.
task<alignment> align_rows(index_relay_core const& relay, entity_key const& entity, std::vector<row_elsewhere> rows);

}  // namespace tablemap::detail
