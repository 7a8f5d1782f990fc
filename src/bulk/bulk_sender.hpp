// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bulk/bulk_group.hpp"
#include "bulk/bulk_queue.hpp"
#include "bulk/bulk_requests.hpp"
#include "store/task_group.hpp"
#include "tablemap/bulk/bulk_report.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/detail/write/single_request.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The owner of a sender.
class bulk_sink {
public:
    /// A row has ended. `w` may be moved from. `why`: null for a row that is stored. `absent`: it is erased because
    /// there was none.
    virtual void ended(std::size_t tag, encoded_write& w, row_state s, error const* why, bool absent) noexcept = 0;

    /// True if rows come soon: those at hand wait for others to make whole groups.
    virtual bool expects_rows() const noexcept = 0;

    /// True if no row will come any more.
    virtual bool is_done() const noexcept = 0;

    /// Tells the user what is new. What the user's functions throw passes through.
    virtual void tell() = 0;

protected:
    ~bulk_sink() = default;
};

/// Sends writes in groups, by tasks beside those of its owner, which adds rows.
///
/// Rows of one partition are sent in the order in which they were added, one group at a time, each entity once per
/// group; one row alone goes as a plain write. A row that is to blame for a group's failure ends, the others go again,
/// singly after a few such failures; if no row is known to be, each half is sent on its own. A row in doubt is sent
/// once more by itself if that can tell: an erase whose row is absent then is done. Rows wait until they make a whole
/// group, the buffer is full or no more are expected.
///
/// A row whose entity has rows in indexes is sent with them, and counts as that many operations; unless it is inserted,
/// its entity is read before, together with those of the rest of its group. A write of any version that meets a
/// conflict is read again after a wait and sent alone; the others are sent again under the etags that were read, until
/// they meet a conflict, too.
///
/// A fault that no row would escape, such as an absent table, ends the rest as `not_sent`, as a stop and the deadline
/// do.
class bulk_sender : bulk_requests::watcher {
public:
    /// All is borrowed.
    bulk_sender(table_state const& table, bulk_options const& options, environment const& env, bulk_sink& sink);
    bulk_sender(bulk_sender const&) = delete;
    bulk_sender& operator=(bulk_sender const&) = delete;

    /// `doubtful`: an earlier write of the same row may have been applied. `stored` is the entity as it was read under
    /// the write's etag, which saves another read of it; null if it was not read; may be moved from. A row that cannot
    /// be sent ends at once.
    void add(std::size_t tag, encoded_write w, bool doubtful = false, std::string* stored = nullptr);

    /// Sends the rows that are added, until no more are expected and all have ended.
    task<> run();

    /// Lets `run` look at what has changed.
    void go_on() noexcept;

    /// The same, for news of the user and for the end of the call, too.
    void changed() override;

    /// True if nothing should be added before some of it has been answered.
    bool full() const noexcept { return rows_ >= most_rows_ || memory_ >= most_memory_; }

    /// True if as much is under way as the store takes, or if it cannot be reached at present.
    bool busy() const noexcept { return requests_.busy() || requests_.is_waiting_for_store(); }

    /// True if nothing can be sent before more rows are added, a response comes, or a time. The signal: it became true.
    bool is_idle() const noexcept { return idle_; }
    task_signal& became_idle() noexcept { return became_idle_; }

    /// The final response to a read of the owner, which waits for no turn. The request is borrowed.
    task<response> read(request const& what) { return requests_.ask(what, nullptr); }

    /// Why nothing more is sent although rows may come; nothing while all is well.
    std::optional<error> const& ended_by() const noexcept { return ended_by_; }

    /// The number of responses so far.
    std::size_t responses() const noexcept { return requests_.responses(); }

    /// Requests, retries and what else is counted of them.
    void report(bulk_progress& to) const noexcept { requests_.report(to); }

private:
    task<> begin_groups();
    task<> hold_back(bulk_partition& p, time_point until);
    task<> carry_out(bulk_partition& p, std::vector<bulk_row> rows, time_point began);
    task<bool> prepare(bulk_group& g);
    task<> read_into(bulk_group& g, std::size_t number, request const& what);
    task<std::optional<time_point>> send(bulk_group& g);

    void look_for_end() override;
    bulk_partition* next_partition() noexcept;
    void begin_group(bulk_partition& p);
    void take_responses(bulk_group& g);
    bool fill(bulk_group& g);
    void give_up(error const& why);
    void end_unsent(bulk_row& r, error const& why);

    std::optional<time_point> settle_indexed(bulk_group& g, error const& e);
    void forget_entities(bulk_group& g, bulk_row& outdated);
    void settle(bulk_group& g, error const& e);
    void take_apart(bulk_group& g, error const& e);
    void settle_doubt(bulk_group& g, error const& e);
    void give_up_doubtful(bulk_partition& p, error const& e);
    void fail(bulk_row& r, error const& e);
    void count_memory(bulk_row& r) noexcept;
    void forget_read(bulk_row& r) noexcept;
    void end(bulk_row& r, row_state s, error const* why, bool absent = false);

    std::string_view table_;
    capabilities const& can_;
    property_cipher const* cipher_;
    environment const& env_;
    bulk_sink& sink_;
    std::size_t const most_rows_, most_memory_;
    bulk_group_limits const limits_;
    bulk_queue queue_;
    bulk_requests requests_;
    std::optional<time_point> account_free_{};  ///< no partition may be sent before
    std::optional<error> ended_by_{};
    std::size_t rows_ = 0, memory_ = 0;  ///< that have not ended
    bool idle_ = false;
    task_signal became_idle_{};
    task_signal news_{};  ///< for `begin_groups`
    task_signal gave_up_{};
    task_group tasks_{};
};

}  // namespace tablemap::detail
