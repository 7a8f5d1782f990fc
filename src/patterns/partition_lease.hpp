// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/outbox_rows.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/patterns/relay_core.hpp"
#include "tablemap/detail/write/modify_row.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The right of a relay to work on the outbox of one partition.
namespace tablemap::inline v0_1::detail {

inline constexpr std::chrono::hours longest_lease{14 * 24};

/// A change of the counts of a head.
struct head_change {
    std::int64_t pending = 0;
    std::int64_t parked = 0;
    bool release_if_drained = false;  ///< gives the lease back if no effect is pending then
    bool release = false;             ///< gives it back in any case
    /// No row is left of those below this number: sets a count right that a stranger left wrong by erasing rows, unless
    /// a commit has taken the number since. 0: not known.
    std::int64_t none_pending_below = 0;
    bool none_parked = false;     ///< only the owner of the lease parks effects
    bool needs_all_rows = false;  ///< a row to erase that is gone is an error
};

/// The lease of a partition. It is written into the head, and each write of its owner replaces the head under the etag
/// that was read last: an owner that has lost its lease meets a conflict and changes nothing. Commits change the head
/// as well; after such a conflict the head is read again, and the write repeated as long as the owner is the same.
class partition_lease {
public:
    enum class taking : std::uint8_t { taken, nothing_to_do, leased_elsewhere };
    enum class writing : std::uint8_t { written, lost };

    /// All is borrowed.
    partition_lease(relay_core const& relay, std::string_view partition_key, environment const& env)
        : relay_(relay), partition_key_(partition_key), env_(env), owner_(random_guid(env.clock())) {}

    outbox_head const& head() const noexcept { return head_; }
    bool is_held() const noexcept { return head_.owner == owner_; }

    /// Reads the head and writes the lease into it if effects of this state are there, or may come: a relay puts the
    /// message of an effect before it parks it, and one whose lease is over must not park it behind that message.
    task<result<taking>> take(effect_state s);

    /// Writes rows and the head, with the lease renewed, in one group. The first row must be an erase, a row whose
    /// presence tells that a lost write was not carried out, or a write that may be repeated. Rows to erase that are
    /// gone are left out, unless the change needs all. `lost` does not tell that nothing was applied: the response to a
    /// try may have been lost, and the lease after that. An error about a row has its place as `failed_index()`, with
    /// the head at 0.
    task<result<writing>> write(head_change change, std::vector<encoded_write> rows);

    /// Renews the lease if it is half over.
    task<result<writing>> renew_if_needed();

private:
    bool is_anothers() const;
    bool has_nothing(effect_state s) const;
    outbox_head changed(head_change const& change) const;
    task<response> send(encoded_write head, std::vector<encoded_write> const& rows) const;
    task<result<void>> read_again();
    task<result<bool>> is_gone(std::string row_key);

    std::string const& table() const noexcept { return relay_.place.table->name; }

    relay_core const& relay_;
    std::string_view partition_key_;
    environment const& env_;
    guid owner_;
    outbox_head head_{};
};

}  // namespace tablemap::detail
