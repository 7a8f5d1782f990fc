// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/service_call.hpp"
#include "tablemap/queue/queue.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The operations of an `async_queue`, as calls whose tasks own what their requests borrow.
class async_queue_calls {
public:
    /// \throws error as the constructor of `queue`
    async_queue_calls(store_ptr s, std::string name);

    std::string const& name() const noexcept { return name_; }

    service_call<void> create() const;
    service_call<own_doing> create_if_not_exists() const;
    service_call<void> delete_queue() const;
    service_call<own_doing> delete_if_exists() const;
    service_call<bool> exists() const;

    service_call<queue_message> put(std::string text, message_times times) const;
    service_call<std::vector<queue_message>> get(std::size_t most, std::chrono::seconds hidden_for) const;
    service_call<std::vector<queue_message>> peek(std::size_t most) const;
    service_call<message_receipt> update(message_receipt m, std::chrono::seconds hidden_for,
                                         std::optional<std::string> text) const;
    service_call<void> erase(message_receipt m) const;
    service_call<void> clear() const;
    service_call<std::size_t> approximate_count() const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap::detail
