// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "embedded/sqlite.hpp"

#include "tablemap/embedded/store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tablemap::inline v0_1::detail::embedded {

/// Every statement of the store, prepared when it is first used.
enum class query : std::uint8_t {
    find_table,
    list_tables,
    add_table,
    remove_table,
    remove_rows,
    read_row,
    locate_row,
    read_partition,
    read_table,
    insert_row,
    update_row,
    remove_row,
    read_clock,
    set_clock,
    read_policies,
    add_policy,
    remove_policies,
    read_settings,
    add_setting,
    remove_settings,
    find_queue,
    add_queue,
    remove_queue,
    add_message,
    find_messages,
    take_message,
    find_message,
    hide_message,
    change_text,
    remove_message,
    remove_messages,
    remove_expired,
    count_messages,
    find_container,
    add_container,
    remove_container,
    remove_blocks_of_container,
    remove_blobs_of_container,
    remove_staged_of_container,
    find_blob,
    list_blobs,
    add_blob,
    set_size_of_blob,
    remove_blob,
    read_blocks,
    add_block,
    add_staged_block,
    add_own_block,
    remove_blocks,
    remove_staged_block,
    stage_piece,
    length_of_staged_id,
    length_of_own_id,
    remove_staged,
    remove_old_staged,
};
inline constexpr std::size_t query_count = 55;

/// Stamps that the file keeps for a connection, so that not every write has to change the clock.
struct stamp_block {
    std::int64_t next = 0;
    std::int64_t last = 0;   ///< what the connection wrote into the clock
    std::int64_t write = 0;  ///< the write transaction that did so; 0 once it is known to have committed
    std::int64_t seen = 0;   ///< `foreign_changes` when the clock was last read
};

/// A database with its prepared statements and the ids of tables it has met. Used by one thread at a time.
class connection {
public:
    /// As `database` opens it.
    connection(embedded_options const& options, bool create, char const* file_system = nullptr);

    database& db() noexcept { return database_; }
    statement& prepared(query q);

    /// The id of a table as of now. Errors (thrown): `service_errc::invalid_resource_name`.
    std::optional<std::int64_t> find_table(std::string_view name);

    /// `find_table` within a write transaction. Asks only if another connection may have changed the file since.
    std::optional<std::int64_t> find_table_to_write(std::string_view name);

    /// Before this connection removes a table.
    void forget_tables() noexcept { tables_.clear(); }

    /// The id that a table had when this connection last asked. Ids are never used twice, so a row that is found by it
    /// proves that the table is there; if none is found, ask `find_table`.
    std::optional<std::int64_t> remembered_table(std::string_view name) const;
    void remember_table(std::string_view name, std::int64_t id);

    stamp_block& stamps() noexcept { return stamps_; }

private:
    struct text_hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    database database_;
    std::array<statement, query_count> statements_;
    std::unordered_map<std::string, std::int64_t, text_hash, std::equal_to<>> tables_;
    std::int64_t tables_seen_ = 0;  ///< `foreign_changes` when the first of them was found
    stamp_block stamps_;
};

/// Names of tables differ by more than case.
std::string folded(std::string_view name);

/// The name by which a table is found: names differ by more than case. Errors (thrown): `invalid_resource_name`.
std::string folded_table_name(std::string_view name);

/// `find_table` for requests that need the table. Errors (thrown): `service_errc::table_not_found`.
std::int64_t require_table(connection& c, std::string_view name);

/// `find_table_to_write` for requests that need the table. Errors (thrown): as `require_table`.
std::int64_t require_table_to_write(connection& c, std::string_view name);

}  // namespace tablemap::detail::embedded
