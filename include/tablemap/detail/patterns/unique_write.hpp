// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/patterns/valued_write.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/patterns/unique_value.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// The part of tables with unique values that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// The state that all copies of a table with unique values share.
struct unique_state : valued_table {
    std::shared_ptr<table_state const> reservations;
    std::chrono::milliseconds reserved_for;
};

/// Reserves the values that the entity gains, writes it together with the erase of a guard, confirms the reservations
/// and releases those of the values that it loses. A write that gains none is a single request. After a conflict it
/// begins again, with jittered waits. All is borrowed.
///
/// \return the etag of the entity, empty if it was erased, or if only its reservations show that it was written;
/// nothing if there was nothing to write
task<result<std::optional<etag>>> write_valued(unique_state const& table, entity_key const& own, modify_options options,
                                               valued_editor& edit);

/// Decodes the entity of a row into `found`. False if it does not have the value.
using unique_reader = result<bool> (*)(std::string& row, std::string_view value, void* found,
                                       property_cipher const* cipher);

/// Finds the entity that has a value: reads the reservation, then its owner. If the owner does not have the value, and
/// the reservation was changed between the two reads, both are read again. False if there is none. All is borrowed.
task<result<bool>> look_up_unique(unique_state const& table, std::string_view value, unique_reader read, void* found);

/// Compares all reservations with their owners, then all entities with their reservations, a page at a time. `entities`
/// are the keys of a scan, and `where` its condition.
task<result<unique_report>> check_unique_values(std::shared_ptr<unique_state const> table, query_keys entities,
                                                std::optional<filter::expression> where, bool repairs);

}  // namespace tablemap::detail
