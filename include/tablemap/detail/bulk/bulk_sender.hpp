// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/store/flow.hpp"
#include "tablemap/detail/write/write_encoder.hpp"
#include "tablemap/store/store.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tablemap::inline v0_1::detail {

/// The receiver of the ends of rows. Its functions may not throw.
class bulk_sink {
public:
    /// `w` may be moved from. `why`: null for a row that is stored. `absent`: it is erased because there was none.
    virtual void ended(std::size_t tag, encoded_write& w, row_state s, error const* why, bool absent) noexcept = 0;

protected:
    ~bulk_sink() = default;
};

/// Sends writes in groups: the steps of a flow, to which its owner adds rows.
///
/// Rows of one partition are sent in the order in which they were added, one group at a time, each entity once per
/// group; one row alone goes as a plain write. A row that is to blame for a group's failure ends, the others go again,
/// singly after a few such failures; if no row is known to be, each half is sent on its own. A row in doubt is sent
/// once more by itself if that can tell: an erase whose row is absent then is done. Rows wait until they make a whole
/// group, the buffer is full or `drain` is called for.
///
/// A row whose entity has rows in indexes is sent with them, and counts as that many operations; unless it is inserted,
/// its entity is read before, together with those of the rest of its group. A write of any version that meets a
/// conflict is read again after a wait and sent alone; the others are sent again under the etags that were read, until
/// they meet a conflict, too.
///
/// A fault that no row would escape, such as an absent table, ends the rest as `not_sent`, as a stop and the deadline
/// do.
class bulk_sender {
public:
    /// `table`, `sink` and the cipher, which may be null, are borrowed; of `options` the limits.
    bulk_sender(std::string_view table, capabilities const& can, property_cipher const* cipher,
                bulk_options const& options, retry_policy const& policy, bulk_sink& sink);
    ~bulk_sender();

    /// `doubtful`: an earlier write of the same row may have been applied. `stored` is the entity as it was read under
    /// the write's etag, which saves another read of it; null if it was not read; may be moved from. A row that cannot
    /// be sent ends at once.
    void add(std::size_t tag, encoded_write w, bool doubtful = false, std::string* stored = nullptr);

    /// True if nothing should be added before some of it has been answered.
    bool full() const noexcept;

    /// True if as much is under way as the store takes, or if it cannot be reached at present.
    bool busy() const noexcept;

    /// If `now`, sends the rows at hand without waiting for more.
    void drain(bool now) noexcept;

    flow_step next(environment const& env);
    void answered(environment const& env, std::size_t slot, response&& answer);

    /// Why nothing more is sent although rows may come; nothing while all is well.
    std::optional<error> const& ended_by() const noexcept;

    /// Requests, retries and what else is counted of them.
    void report(bulk_progress& to) const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace tablemap::detail
