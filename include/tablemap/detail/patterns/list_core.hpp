// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/detail/patterns/valued_write.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/patterns/index_entity.hpp"
#include "tablemap/patterns/relay_options.hpp"
#include "tablemap/query/key_ranges.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The part of tables with index entities that does not depend on types.
///
/// A list of a value in the partition of its entities is a row of theirs; a list in another table has a partition of
/// its own there:
///
///     ~list_<name>=<value>           the row keys of the entities, or the name of the blob that holds them
///     ~list-intent_<id>              an entity whose lists in other tables have to be looked at
namespace tablemap::inline v0_1::detail {

/// The beginning of the row keys of lists and intents.
inline constexpr std::string_view list_beginning = "~list";
inline constexpr std::string_view intent_beginning = "~list-intent_";

/// The state that all copies of a table with index entities share.
struct list_state : valued_table {
    std::span<std::string_view const> tables;  ///< of the lists, by the number of the index; empty: the entities' own
    std::string_view row_beginning;            ///< that the row keys of entities have
    index_entity_options options;
    std::string list_row;  ///< the row key of the lists in other tables
};

/// Errors (thrown): `library_errc::value_out_of_range` for an option that cannot be used; `invalid_resource_name`.
std::shared_ptr<list_state const> make_list_state(valued_table of, std::span<std::string_view const> tables,
                                                  std::string_view row_beginning, index_entity_options options);

/// Writes an entity, and in the same transaction the lists in its partition and an intent for those elsewhere. After a
/// conflict of a list it begins again, with jittered waits. All is borrowed.
///
/// \return the etag of the entity, empty if it was erased, or if only its lists show that it was written; nothing if
/// there was nothing to write
task<result<std::optional<etag>>> write_valued(list_state const& table, entity_key const& own, modify_options options,
                                               valued_editor& edit);

/// Decodes the entity of a row and adds it to `found`, unless it does not have the value.
using list_reader = result<void> (*)(std::string& row, std::string_view value, void* found,
                                     property_cipher const* cipher);

/// Reads the lists of a value in these partitions, or the one in the index's table, then the entities that they name.
/// `found` is borrowed.
task<result<void>> look_up_list(std::shared_ptr<list_state const> table, std::size_t index,
                                std::vector<std::string> partitions, std::string value, list_reader read, void* found);

/// Carries out the intents of these partitions; of all if none is named.
task<result<index_entity_relay_report>> relay_lists(std::shared_ptr<list_state const> table,
                                                    std::vector<std::string> partitions);

/// Does that for all partitions again and again, until the call's deadline or stop.
task<result<index_entity_relay_report>> relay_lists_until_stopped(std::shared_ptr<list_state const> table,
                                                                  std::chrono::milliseconds every);

/// Puts a message into the queue for each partition that the poison queue names, and deletes the messages there.
task<result<put_back_report>> put_back_lists(std::shared_ptr<list_state const> table);

/// Compares all lists with the entities that they name, all entities with their lists, and the blobs with the lists
/// that name them, a page at a time. `entities` are the keys of a scan, and `where` its condition.
task<result<index_entity_report>> check_lists(std::shared_ptr<list_state const> table, query_keys entities,
                                              std::optional<filter::expression> where, bool repairs);

}  // namespace tablemap::detail
