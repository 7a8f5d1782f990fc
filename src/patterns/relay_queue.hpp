// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/base/result.hpp"
#include "tablemap/detail/store/environment.hpp"
#include "tablemap/detail/store/task.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The messages of relays. Their form must never change in a way that older programs misread: they outlive programs.
namespace tablemap::inline v0_1::detail {

/// The queue that tells relays which partitions have work. The poison queue beside it takes messages that could not be
/// used. All is borrowed.
struct relay_queue {
    std::string_view name{};          ///< empty: there is none
    std::string_view table{};         ///< of the partitions that messages name
    std::string_view what{};          ///< "outbox": messages tell what sort of relay they are for
    std::chrono::seconds hidden{30};  ///< the time for which a message is taken; at most 7 days
    std::uint32_t deliveries = 5;     ///< of a message that cannot be used; then it goes to the poison queue
};

// ---- texts ----------------------------------------------------------------------------------------------------------

/// The message that a partition has work.
std::string message_text(relay_queue const& queue, std::string_view partition_key);

/// The partition of such a message. Nothing for a text that is none of this sort and table, or names a partition that
/// cannot exist.
std::optional<std::string> partition_in(relay_queue const& queue, std::string_view text);

/// The message in place of one that could not be used, with its text; that text alone if both are too long.
std::string foreign_text(relay_queue const& queue, std::string_view text, std::uint32_t dequeue_count);

/// The message that the work in a partition failed.
std::string failed_text(relay_queue const& queue, std::string_view partition_key, std::uint32_t dequeue_count,
                        std::string reason);

/// The partition of such a message; nothing for a text that is none of this sort and table.
std::optional<std::string> failed_partition_in(relay_queue const& queue, std::string_view text);

// ---- messages -------------------------------------------------------------------------------------------------------

/// Puts the message into the queue that a partition has work.
task<result<void>> announce(relay_queue const& queue, std::string partition_key);

/// The same in one try, whatever the call's policy is: for a call that has done its work.
task<result<void>> announce_once(relay_queue const& queue, std::string partition_key);

/// The name of the queue of messages that could not be used, and of work that failed.
std::string poison_queue(std::string_view queue);

/// Errors: `library_errc::value_out_of_range` if the queue, or its poison queue, can have no such name. The empty name
/// stands for no queue.
result<void> check_relay_queue(std::string_view queue);

/// Puts a message into the poison queue, and creates that if there is none.
task<result<void>> put_poison(relay_queue const& queue, std::string text);

/// Deletes a message that was taken, or lets it appear again after a wait. One that another program has taken since, or
/// has deleted, is theirs.
task<result<void>> end_message(std::string queue, std::string id, std::string receipt,
                               std::optional<std::chrono::milliseconds> again_after);

/// Keeps the message hidden that a pass works for.
class message_hold {
public:
    /// Nothing is held.
    message_hold() = default;

    /// All is borrowed but the texts.
    message_hold(relay_queue const& queue, environment const& env, std::string id, std::string receipt);

    /// Hides the message for longer if half of its time is over. A fault only makes the message appear to others
    /// again, which do no harm: any number of relays may work on one partition.
    task<> renew_if_needed();

    /// Deletes it, or lets it appear again after a wait.
    task<result<void>> finish(std::optional<std::chrono::milliseconds> again_after);

private:
    relay_queue const* queue_ = nullptr;
    environment const* env_ = nullptr;
    std::string id_{}, receipt_{};
    time_point renew_at_{};
};

}  // namespace tablemap::detail
