// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/queue/queue_tasks.hpp"

#include "queue/queue_calls.hpp"

#include <tuple>
#include <utility>

namespace tablemap::inline v0_1::detail {

queue_tasks::queue_tasks(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    queue_calls::check_name(name_);
}

task<result<void>> queue_tasks::create() const { return carry_out_later(&queue_calls::create, std::tuple{name_}); }

task<result<own_doing>> queue_tasks::create_if_not_exists() const {
    return carry_out_later(&queue_calls::create_if_not_exists, std::tuple{name_});
}

task<result<void>> queue_tasks::delete_queue() const {
    return carry_out_later(&queue_calls::delete_queue, std::tuple{name_});
}

task<result<own_doing>> queue_tasks::delete_if_exists() const {
    return carry_out_later(&queue_calls::delete_if_exists, std::tuple{name_});
}

task<result<bool>> queue_tasks::exists() const { return carry_out_later(&queue_calls::exists, std::tuple{name_}); }

task<result<queue_message>> queue_tasks::put(std::string text, message_times times) const {
    return carry_out_later(&queue_calls::put, std::tuple{name_, std::move(text), times});
}

task<result<std::vector<queue_message>>> queue_tasks::get(std::size_t most, std::chrono::seconds hidden_for) const {
    return carry_out_later(&queue_calls::get, std::tuple{name_, most, hidden_for});
}

task<result<std::vector<queue_message>>> queue_tasks::peek(std::size_t most) const {
    return carry_out_later(&queue_calls::peek, std::tuple{name_, most});
}

task<result<message_receipt>> queue_tasks::update(message_receipt m, std::chrono::seconds hidden_for,
                                                  std::optional<std::string> text) const {
    return carry_out_later(&queue_calls::update, std::tuple{name_, std::move(m), hidden_for, std::move(text)});
}

task<result<void>> queue_tasks::erase(message_receipt m) const {
    return carry_out_later(&queue_calls::erase, std::tuple{name_, std::move(m)});
}

task<result<void>> queue_tasks::clear() const { return carry_out_later(&queue_calls::clear, std::tuple{name_}); }

task<result<std::size_t>> queue_tasks::approximate_count() const {
    return carry_out_later(&queue_calls::approximate_count, std::tuple{name_});
}

}  // namespace tablemap::detail
