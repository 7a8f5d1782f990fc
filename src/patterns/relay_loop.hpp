// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/relay_queue.hpp"
#include "tablemap/base/error.hpp"
#include "tablemap/store/queue_message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

/// Relays that work until they are stopped.
namespace tablemap::inline v0_1::detail {

/// The end of the work that a message asked for.
struct message_end {
    std::optional<std::chrono::milliseconds> again_after{};  ///< nothing: the message has done its work
    bool is_good = true;                                     ///< no fault that the next message would meet, too
};

/// The end of the work on all partitions.
struct sweep_end {
    std::optional<error> fault{};  ///< the first one
    bool is_whole = true;          ///< no fault or stop has cut it off
};

/// The work of a relay.
class relay_work {
public:
    virtual ~relay_work() = default;

    /// Works on the partition that a message names. The message is borrowed.
    virtual task<message_end> work_on(std::string partition, queue_message const& message, message_hold& hold) = 0;

    /// Works on all partitions. Faults are the relay's own affair.
    virtual task<> sweep() = 0;

    /// Takes a fault of the queue.
    virtual void note(error const& fault) = 0;

protected:
    relay_work() = default;
    relay_work(relay_work const&) = default;
    relay_work& operator=(relay_work const&) = default;
};

/// The waits of a relay that has nothing to do.
struct relay_waits {
    std::chrono::milliseconds idle;  ///< the first one; later ones double
    std::chrono::milliseconds longest_idle;
    std::chrono::milliseconds sweep_every;
};

/// Takes messages from the queue, if there is one, and has their partitions worked on; has all partitions swept at the
/// beginning and now and then; sleeps in between, until the call's deadline or stop. All is borrowed.
task<> relay_until_stopped(relay_queue const& queue, relay_waits waits, relay_work& work);

/// The end of a message whose partition met a fault. After some deliveries it goes to the poison queue with the reason,
/// unless the fault is one of the store that the next message would meet, too, or others were faster every time. All is
/// borrowed.
task<message_end> failed_end(relay_queue const& queue, std::string partition, queue_message const& message,
                             error const& fault, relay_work& work);

/// The end of a message whose partition has intents that only other relays carry out. It appears again for them, until
/// its wait has become the longest. Then it is deleted: sweeps find those intents.
message_end left_end(queue_message const& message) noexcept;

/// False if the next partition would meet the same fault, whether or not this one was changed before.
bool is_of_partition(error const& e) noexcept;

/// The wait before a message is worked on again.
std::chrono::milliseconds repetition_wait(std::uint32_t dequeue_count) noexcept;

}  // namespace tablemap::detail
