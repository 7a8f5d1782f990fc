// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/relay_queue.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/patterns/list_core.hpp"
#include "tablemap/edm/dynamic_entity.hpp"
#include "tablemap/store/stored_row.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The forms of lists, of the blobs that hold large ones, and of intents.
///
/// The text of a list is the row keys of its entities in the order of their bytes, each with a line feed behind it; in
/// another table than the entities', each behind its partition key and a tab. Keys hold neither character. The blob of
/// a list begins with one more line, which is the key of the list's row, with a tab between.
namespace tablemap::inline v0_1::detail {

/// The queue that tells relays of lists in other tables.
relay_queue queue_of(list_state const& table) noexcept;

/// The place of a list.
struct list_address {
    std::size_t index = 0;  ///< its number
    std::string partition_key{};
    std::string row_key{};

    friend bool operator==(list_address const&, list_address const&) = default;
};

bool is_local(list_state const& table, std::size_t index) noexcept;
std::string_view table_of(list_state const& table, std::size_t index) noexcept;

/// The list of a value. `partition`: that of the entity.
list_address address_of(list_state const& table, std::size_t index, std::string_view partition, std::string_view value);

/// The text that the keys of an index's values begin with.
std::string beginning_of_values(list_state const& table, std::size_t index);

/// The key of the value whose list has this address.
std::string_view value_of(list_state const& table, list_address const& at) noexcept;

/// The line of an entity in a list.
std::string line_of(list_state const& table, std::size_t index, entity_key const& own);

/// The entity of a line. `partition`: that of the list.
entity_key key_of_line(list_state const& table, std::size_t index, std::string_view partition, std::string_view line);

using list_lines = std::set<std::string, std::less<>>;

/// A list as it is stored.
struct stored_list {
    tablemap::etag etag{};   ///< empty: there is no row
    guid write{};            ///< the id of the write that stored it
    std::string blob{};      ///< that holds the lines; empty: the row does
    std::int64_t bytes = 0;  ///< of the lines in the row, or of the whole blob
    std::int64_t check = 0;  ///< a hash of these bytes
    list_lines lines{};
    std::optional<error> damage{};  ///< why it cannot be read

    bool is_there() const noexcept { return !etag.empty(); }
};

/// Reads the row of a list, but not its blob.
stored_list read_list_row(list_state const& table, list_address const& at, std::string& row, etag e);

/// Takes the bytes of the list's blob. Sets `damage` if they are not those that the row names.
void take_blob(stored_list& list, list_state const& table, list_address const& at, std::string_view bytes);

/// The damage of a list whose blob is gone.
error blob_is_gone(list_state const& table, list_address const& at);

/// The bytes of a list's lines, of the first line of its blob, and a hash.
std::string text_of(list_lines const& lines);
std::string blob_head(list_address const& at);
std::int64_t check_of(std::string_view bytes) noexcept;

/// The write of a list under the etag that was read. `blob`: the one that holds `bytes`; empty: the row does.
encoded_write write_of(stored_list const& old, list_address const& at, guid write, std::string_view blob,
                       std::string_view bytes);
encoded_write erase_of(stored_list const& old, list_address const& at);

/// A write that leaves the list as it is, with another etag.
encoded_write renewal_of(stored_list const& list, list_address const& at, guid id);

/// The names of the blobs of an index.
std::string blob_prefix(list_state const& table, std::size_t index);

// ---- intents --------------------------------------------------------------------------------------------------------

/// An entity that was written, and the values that it had or has. Never changed: a relay erases it.
struct list_intent {
    std::string row_key{};  ///< its own
    entity_key entity{};
    list_lines values{};  ///< their keys
    ticks written{};
};

std::string intent_key(guid id);
encoded_write insert_of(list_intent const& intent);
result<list_intent> read_list_intent(stored_entity const& row);

}  // namespace tablemap::detail
