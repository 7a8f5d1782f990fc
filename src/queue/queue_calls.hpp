// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/single_call.hpp"
#include "tablemap/queue/queue.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The operations of queues: their requests, which borrow the arguments, and the meaning of the responses.
namespace tablemap::inline v0_1::detail::queue_calls {

/// \throws error `service_errc::invalid_resource_name`
void check_name(std::string const& queue);

single_call<void> create(std::string_view queue);
single_call<own_doing> create_if_not_exists(std::string_view queue);
single_call<void> delete_queue(std::string_view queue);
single_call<own_doing> delete_if_exists(std::string_view queue);
single_call<bool> exists(std::string_view queue);

single_call<queue_message> put(std::string_view queue, std::string_view text, message_times const& times);
single_call<std::vector<queue_message>> get(std::string_view queue, std::size_t most, std::chrono::seconds hidden_for);
single_call<std::vector<queue_message>> peek(std::string_view queue, std::size_t most);
single_call<message_receipt> update(std::string_view queue, message_receipt const& m, std::chrono::seconds hidden_for,
                                    std::optional<std::string_view> text);
single_call<void> erase(std::string_view queue, message_receipt const& m);
single_call<void> clear(std::string_view queue);
single_call<std::size_t> approximate_count(std::string_view queue);

}  // namespace tablemap::detail::queue_calls
