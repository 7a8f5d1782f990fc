// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

/// The requests of queues. Like those of tables they borrow: every view must outlive the response.
namespace tablemap::inline v0_1 {

/// Succeeds too if the queue is there: `service_response::created` tells.
struct create_queue {
    std::string_view queue;
};

/// Deletes a queue with its messages.
struct delete_queue {
    std::string_view queue;
};

/// Appends a message.
struct put_message {
    std::string_view queue;
    std::string_view text;                               ///< UTF-8 that XML can hold, at most 64 KiB of it
    std::chrono::seconds hidden_for{0};                  ///< 0 to 7 days, less than the time to live
    std::optional<std::chrono::seconds> time_to_live{};  ///< none: the message never expires
};

/// Takes messages for a while: they are hidden from others until `hidden_for` has passed. At most 32.
struct get_messages {
    std::string_view queue;
    std::size_t most = 1;
    std::chrono::seconds hidden_for{30};  ///< 1 s to 7 days
};

/// Reads messages that are visible, and leaves them so.
struct peek_messages {
    std::string_view queue;
    std::size_t most = 1;
};

/// Hides a message that was taken for longer, and changes its text if there is one. Its receipt becomes void.
struct update_message {
    std::string_view queue;
    std::string_view id;
    std::string_view receipt;
    std::chrono::seconds hidden_for{0};  ///< from now on, 0 to 7 days
    std::optional<std::string_view> text{};
};

/// Deletes a message under the receipt of the last request that took or changed it.
struct delete_message {
    std::string_view queue;
    std::string_view id;
    std::string_view receipt;
};

/// Deletes all messages, hidden ones too.
struct clear_messages {
    std::string_view queue;
};

/// The approximate number of messages, hidden ones among them.
struct count_messages {
    std::string_view queue;
};

using queue_request = std::variant<create_queue, delete_queue, put_message, get_messages, peek_messages, update_message,
                                   delete_message, clear_messages, count_messages>;

/// The queue of a request.
std::string_view queue_of(queue_request const& r) noexcept;

}  // namespace tablemap
