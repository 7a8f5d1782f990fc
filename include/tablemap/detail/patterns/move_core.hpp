// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/entity_key.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"
#include "tablemap/detail/write/write_encoder.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// The part of moves that does not depend on types.
namespace tablemap::inline v0_1::detail {

/// The beginning of the row keys of traces. A trace stands in the partition of the source from the moment at which the
/// source was erased until the target is confirmed: `~moved_<id of the move>`.
inline constexpr std::string_view trace_prefix = "~moved_";

std::string trace_key(guid const& move);

/// Errors: `service_errc::invalid_input` for tables of two store objects: one call asks one store.
result<void> check_tables(table_state const& from, table_state const& to);

/// The JSON of a move's effect.
struct move_order {
    guid move{};                 ///< tells this move from all others
    std::string to_partition{};  ///< the keys of the target, as they are stored
    std::string to_row{};
};

/// The typed part of one application of a move.
class move_steps {
public:
    virtual ~move_steps() = default;

    virtual table_state const& target_table() const noexcept = 0;

    /// Reads the source, and makes the target of it by the program's function, which may throw. The row may grow in
    /// capacity. Errors: as `decode_into`; `library_errc::key_changed` for a target with other keys than the order's;
    /// `effect_failed` for a source that is itself a tentative row.
    virtual result<void> take_source(std::string& row) = 0;

    /// The erase of the source under the etag that was read.
    virtual encoded_write erase_source() const = 0;

    virtual encoded_write insert_target(clock& c) const = 0;

    /// The target was written, and has this etag now.
    virtual void wrote_target(etag const& stored) = 0;

    /// True if the row of the target is a tentative one of this move. Errors: as `decode_into`, for a row that may be
    /// one.
    virtual result<bool> take_target(std::string& row) = 0;

    /// The writes of the tentative row that was taken or written, under its etag.
    virtual encoded_write replace_target(clock& c) const = 0;
    virtual encoded_write erase_target() const = 0;

    /// Takes the mark of this move off the target; false if it has none. The task borrows from the steps.
    virtual task<result<bool>> confirm_target() const = 0;
};

/// Reads a row into `found`. Returns the id in its mark, if there is one.
using marked_row_reader = result<std::optional<guid>> (*)(std::string& row, void* found, property_cipher const* cipher);

/// The two rows of a move, to read the one that counts.
struct move_look {
    std::shared_ptr<table_state const> from_table;
    std::shared_ptr<table_state const> to_table;
    marked_row_reader read_source;
    marked_row_reader read_target;
    bool comes_back = false;  ///< entities move in the other direction, too
};

/// The row that counts.
enum class move_place : std::uint8_t { nowhere, source, target };

/// Reads the source; unless it is there, the target, and the trace of the move if the target is tentative. A source
/// with a mark counts if the target does not. An error of a key is the result. `source` and `target` are borrowed.
task<result<move_place>> find_moved(move_look look, result<entity_key> from, result<entity_key> to, void* source,
                                    void* target);

}  // namespace tablemap::detail
