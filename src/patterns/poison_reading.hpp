// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "patterns/relay_queue.hpp"
#include "tablemap/detail/store/task.hpp"
#include "tablemap/patterns/relay_options.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// The way back from poison queues.
namespace tablemap::inline v0_1::detail {

/// Counts what is done with partitions.
class partition_count {
public:
    /// False if the next partition would meet the same fault.
    bool add(result<std::size_t> const& moved);

    put_back_report report{};

private:
    bool add_moved(std::size_t effects) {
        report.effects += effects;
        if (effects > 0) ++report.partitions;
        return true;
    }
};

/// The part of `put_back_poison` that differs between relays.
class poison_work {
public:
    /// The partition whose work failed; nothing for a message of others.
    virtual std::optional<std::string> partition_in(std::string_view text) const = 0;

    /// Makes what was set aside in a partition pending again, and returns its number.
    virtual task<result<std::size_t>> put_back(std::string partition_key) = 0;

protected:
    ~poison_work() = default;
};

/// Takes the messages of the poison queue, puts back the work of each partition that they name, tells relays of it by a
/// message in the queue, and then deletes those of the poison queue. Messages of others stay. All is borrowed.
task<result<put_back_report>> put_back_poison(relay_queue const& queue, poison_work& work);

/// The same for relays that set nothing aside: their work stays where it is, and only messages are put back. Errors:
/// also `library_errc::value_out_of_range` without a queue. All is borrowed.
task<result<put_back_report>> put_back_failed(relay_queue const& queue);

}  // namespace tablemap::detail
