// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/relay_queue.hpp"
#include "tablemap/base/guid.hpp"
#include "tablemap/base/result.hpp"
#include "tablemap/base/ticks.hpp"
#include "tablemap/detail/patterns/outbox_core.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/edm/key_bounds.hpp"
#include "tablemap/store/response.hpp"
#include "tablemap/store/stored_row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The rows of an outbox and its messages. Their form must never change in a way that older programs misread: they
/// outlive programs.
namespace tablemap::inline v0_1::detail {

inline constexpr std::string_view outbox_head_key = "~outbox_head";

/// The head of a partition's outbox. Every write of the outbox replaces it under the etag that was read: that is what
/// makes numbers consecutive, and what keeps a relay that has lost its lease from writing.
struct outbox_head {
    std::int64_t next = 1;  ///< the number of the next effect
    std::int64_t pending = 0;
    std::int64_t parked = 0;
    guid last_commit{};     ///< tells a commit whose response was lost that it was applied
    guid owner{};           ///< of the lease; null: nobody
    ticks until{};          ///< the end of the lease
    tablemap::etag etag{};  ///< empty: there is no head yet

    bool is_leased() const noexcept { return owner != guid{}; }
};

/// Reads the response to the request for a head. Errors: that of the response; `library_errc::type_mismatch`,
/// `missing_property`, `malformed_response` for a row that no outbox wrote.
result<outbox_head> read_head(response& found);

/// Reads the row of a head, without its etag.
result<outbox_head> read_head(stored_entity const& row);

/// The write that replaces the head that was read by this one, or inserts it.
encoded_write write_of(outbox_head const& head, std::string_view partition_key);

/// The effects that are to be applied, or those that were set aside.
enum class effect_state : std::uint8_t { pending, parked };

/// A row of an effect.
struct effect_row {
    std::int64_t sequence = 0;
    std::string type{};
    std::string json{};
    std::string entity{};  ///< the row key of the entity that was changed
    guid commit{};         ///< the id of the commit
    ticks committed{};
    std::int32_t attempts = 0;  ///< that failed
    std::string reason{};       ///< of the last failure; empty: none
    ticks next_try{};           ///< of a pending one that failed; not before that
};

std::string effect_key(effect_state s, std::int64_t sequence);

/// The bounds of the keys of effects behind a number. Static storage but for `from`, which refers to `after`.
key_bounds effects_after(effect_state s, std::string const& after);

/// The write of an effect; its fault is that of a value that is too large.
encoded_write write_of(write_kind kind, effect_row const& row, effect_state s, std::string_view partition_key);
encoded_write erase_of(effect_state s, std::int64_t sequence, std::string_view partition_key);

/// Errors: `library_errc::missing_property`, `type_mismatch`, `unreadable_key` for a row that no outbox wrote. They
/// hold no value of it.
result<effect_row> read_effect(stored_entity const& row, effect_state s);

/// The entity of an effect whose row is bad, as far as it tells.
std::string entity_of_bad_row(stored_entity const& row);

/// The sequence number in the row key, or 0 if there is none.
std::int64_t number_of_bad_row(stored_entity const& row);

/// The write that stores a bad pending row as a parked one, with a reason as far as it has room.
encoded_write parked_as_it_is(stored_entity const& row, std::string const& reason);

/// The erasure of a row under any key.
encoded_write erase_of(stored_entity const& row);

/// A text of at most so many bytes, cut at the end of a character.
std::string cut(std::string_view text, std::size_t most);

// ---- messages -------------------------------------------------------------------------------------------------------

/// The queue of an outbox, for who puts messages.
relay_queue queue_of(outbox_place const& place) noexcept;

/// The partition of a message that an effect was parked; nothing for a text that is none of an outbox of this table.
std::optional<std::string> read_parked_partition(std::string_view text, std::string_view table);

/// The message that an effect was parked.
std::string parked_text(std::string_view table, std::string_view partition_key, effect_row const& row);

}  // namespace tablemap::detail
