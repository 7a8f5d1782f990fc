// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/store/options.hpp"
#include "tablemap/store/own_doing.hpp"
#include "tablemap/store/queue_message.hpp"
#include "tablemap/store/store.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tablemap::inline v0_1 {

/// The times of a message that is put.
struct message_times {
    std::chrono::seconds hidden_for{0};                  ///< 0 to 7 days, less than the time to live
    std::optional<std::chrono::seconds> time_to_live{};  ///< 1 s or more; none: the message never expires
};

/// The right to change or delete a message: its id, and the receipt of the last request that took or changed it. A
/// `queue_message` is one, too.
struct message_receipt {
    std::string id{};
    std::string receipt{};

    message_receipt() = default;
    message_receipt(std::string i, std::string r) : id(std::move(i)), receipt(std::move(r)) {}
    message_receipt(queue_message const& m) : id(m.id), receipt(m.receipt) {}
};

/// A queue of messages of a store. A receiver takes a message for a while, does its work and then deletes it; if it
/// does not, the message is given to the next one. So every message is delivered at least once, in no certain order.
///
///     queue tasks{store, "tasks"};
///     tasks.put("archive 4711");
///     for (auto const& m : tasks.get(32, 1min)) { work_on(m.text); tasks.erase(m); }
///
/// Each operation has a twin `try_…` that returns a `result` in place of throwing. `async_queue` has the same
/// operations for callers that do not block.
///
/// \throws error from every operation: the errors of the store (`error_source`), `service_errc::queue_not_found`,
/// `library_errc::deadline_exceeded`, `cancelled`, `unsupported` for a store without queues; after a lost response an
/// error whose `outcome()` is `in_doubt`
/// \par Round trips
/// One each.
/// \par Thread safety
/// All members may be called from any number of threads.
/// \par Lifetime
/// Copies are cheap and share the store, which they keep alive.
class queue {
public:
    /// Names a queue in a store; nothing is sent.
    ///
    /// \pre `s` is not null
    /// \throws error `service_errc::invalid_resource_name` unless the name has 3 to 63 lower-case letters, digits and
    /// single hyphens
    queue(store_ptr s, std::string name);

    std::string const& name() const& noexcept { return name_; }
    std::string name() const&& { return name_; }

    /// Creates the queue.
    ///
    /// \throws error `service_errc::queue_already_exists`, `queue_being_deleted`
    void create(call_options const& o = {}) const;
    result<void> try_create(call_options const& o = {}) const;

    /// Creates the queue unless it exists.
    ///
    /// \return true if this call created it; see `own_doing` for a lost response
    own_doing create_if_not_exists(call_options const& o = {}) const;
    result<own_doing> try_create_if_not_exists(call_options const& o = {}) const;

    /// Deletes the queue with all its messages.
    void delete_queue(call_options const& o = {}) const;
    result<void> try_delete_queue(call_options const& o = {}) const;

    /// Deletes the queue if it exists.
    ///
    /// \return true if this call deleted it; see `own_doing` for a lost response
    own_doing delete_if_exists(call_options const& o = {}) const;
    result<own_doing> try_delete_if_exists(call_options const& o = {}) const;

    bool exists(call_options const& o = {}) const;
    result<bool> try_exists(call_options const& o = {}) const;

    /// Appends a message: UTF-8 of characters that XML can hold, at most 64 KiB of it.
    ///
    /// If the response is lost, the message is not sent again, unless `retry_policy::repeat_in_doubt` allows that: it
    /// would be in the queue twice.
    ///
    /// \return the message without its text
    /// \throws error `service_errc::message_too_large`, `invalid_input` for other text
    queue_message put(std::string_view text, message_times times = {}, call_options const& o = {}) const;
    result<queue_message> try_put(std::string_view text, message_times times = {}, call_options const& o = {}) const;

    /// Takes messages, 1 to 32, and hides them from others for 1 s to 7 days. Fewer may come, or none, even if there
    /// are more.
    ///
    /// A lost response leaves the messages hidden until that time is over.
    std::vector<queue_message> get(std::size_t most = 1, std::chrono::seconds hidden_for = std::chrono::seconds{30},
                                   call_options const& o = {}) const;
    result<std::vector<queue_message>> try_get(std::size_t most = 1,
                                               std::chrono::seconds hidden_for = std::chrono::seconds{30},
                                               call_options const& o = {}) const;

    /// Reads visible messages, 1 to 32, and leaves them as they are. They have no receipt.
    std::vector<queue_message> peek(std::size_t most = 1, call_options const& o = {}) const;
    result<std::vector<queue_message>> try_peek(std::size_t most = 1, call_options const& o = {}) const;

    /// Hides a message that was taken for a time from now on, 0 to 7 days, and gives it another text if there is one.
    ///
    /// \return its new receipt: the old one is void
    /// \throws error `service_errc::message_not_found`, `pop_receipt_mismatch` if another receiver has it
    message_receipt update(message_receipt const& m, std::chrono::seconds hidden_for, call_options const& o = {}) const;
    message_receipt update(message_receipt const& m, std::chrono::seconds hidden_for, std::string_view text,
                           call_options const& o = {}) const;
    result<message_receipt> try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                       call_options const& o = {}) const;
    result<message_receipt> try_update(message_receipt const& m, std::chrono::seconds hidden_for, std::string_view text,
                                       call_options const& o = {}) const;

    /// Deletes a message that was taken.
    ///
    /// \throws error as `update`
    void erase(message_receipt const& m, call_options const& o = {}) const;
    result<void> try_erase(message_receipt const& m, call_options const& o = {}) const;

    /// Deletes all messages, hidden ones too.
    ///
    /// If the response is lost, it is not tried again, unless `retry_policy::repeat_in_doubt` allows that: messages put
    /// since would be deleted, too.
    void clear(call_options const& o = {}) const;
    result<void> try_clear(call_options const& o = {}) const;

    /// The number of messages, hidden ones among them. The service does not count exactly.
    std::size_t approximate_count(call_options const& o = {}) const;
    result<std::size_t> try_approximate_count(call_options const& o = {}) const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap
