// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/mapping/encode.hpp"
#include "tablemap/detail/mapping/index_set.hpp"
#include "tablemap/detail/write/companion.hpp"
#include "tablemap/edm/dynamic_entity.hpp"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Intents: rows that tell an `index_relay` which rows of indexes elsewhere may not be what an entity implies.
///
/// A write that changes what an entity implies elsewhere stores one in the same group transaction:
///
///     RowKey                           ~index_<16 hexadecimal digits of a hash of the entity's row key>_<guid>
///     Entity                           the entity's row key
///     Table<n>, Partition<n>, Row<n>   the rows that have to be written or erased, from 0; no Table<n>: that of the
///                                      entity
///
/// A relay that inserts such a row stores an intent beside it, in the same group transaction. It has the same form, and
/// two more properties, since tables may share the table of an index:
///
///     EntityTable, EntityPartition     the table and the partition key of the entity
///
/// Intents are not changed. Those of one entity in one partition lie side by side.
namespace tablemap::inline v0_1::detail {

/// A row of an index elsewhere.
struct row_elsewhere {
    std::string table{};  ///< empty: that of the entities
    entity_key key{};

    friend auto operator<=>(row_elsewhere const&, row_elsewhere const&) = default;
};

struct index_intent {
    entity_key key{};
    tablemap::etag etag{};  ///< empty if the store gives none
    std::string table{};    ///< of the entity; empty: that of the intent, which is not beside a row
    entity_key entity{};
    ticks stored{};  ///< by the clock of the service
    std::vector<row_elsewhere> rows{};

    bool is_beside_row() const noexcept { return !table.empty(); }
};

/// The text that the row keys of the intents of an entity begin with, and perhaps those of a few others.
std::string intents_of(std::string_view entity);

row_elsewhere place_of(index_row const& row, index_set const& indexes);

/// Takes the rows elsewhere out of the rows of an entity before and after a write.
///
/// \return the intent to store with it; nothing if those rows do not change
std::optional<companion> take_intent(std::vector<index_row>& before, std::vector<index_row>& after,
                                     index_set const& indexes);

/// The intent to store beside a row elsewhere that is inserted for an entity of a table. No other row has its key.
encoded_entity intent_beside(row_elsewhere const& row, std::string_view table, entity_key const& entity);

/// Errors: `library_errc::missing_property`, `type_mismatch` for a row that is no intent.
result<index_intent> read_intent(stored_entity const& row);

}  // namespace tablemap::detail
