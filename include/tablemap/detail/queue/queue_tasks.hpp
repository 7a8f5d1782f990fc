// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tablemap/detail/store/task.hpp"
#include "tablemap/queue/queue.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tablemap::inline v0_1::detail {

/// The operations of an `async_queue`, as tasks that own what their requests borrow.
class queue_tasks {
public:
    /// \throws error as the constructor of `queue`
    queue_tasks(store_ptr s, std::string name);

    store_ptr const& store() const noexcept { return store_; }
    std::string const& name() const noexcept { return name_; }

    task<result<void>> create() const;
    task<result<own_doing>> create_if_not_exists() const;
    task<result<void>> delete_queue() const;
    task<result<own_doing>> delete_if_exists() const;
    task<result<bool>> exists() const;

    task<result<queue_message>> put(std::string text, message_times times) const;
    task<result<std::vector<queue_message>>> get(std::size_t most, std::chrono::seconds hidden_for) const;
    task<result<std::vector<queue_message>>> peek(std::size_t most) const;
    task<result<message_receipt>> update(message_receipt m, std::chrono::seconds hidden_for,
                                         std::optional<std::string> text) const;
    task<result<void>> erase(message_receipt m) const;
    task<result<void>> clear() const;
    task<result<std::size_t>> approximate_count() const;

private:
    store_ptr store_;
    std::string name_;
};

}  // namespace tablemap::detail
