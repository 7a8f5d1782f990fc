// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/queue/async_queue_calls.hpp"

#include "queue/queue_calls.hpp"

#include <tuple>
#include <utility>

namespace tablemap::inline v0_1::detail {

async_queue_calls::async_queue_calls(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) {
    queue_calls::check_name(name_);
}

service_call<void> async_queue_calls::create() const {
    return carry_out_later(store_, &queue_calls::create, std::tuple{name_});
}

service_call<own_doing> async_queue_calls::create_if_not_exists() const {
    return carry_out_later(store_, &queue_calls::create_if_not_exists, std::tuple{name_});
}

service_call<void> async_queue_calls::delete_queue() const {
    return carry_out_later(store_, &queue_calls::delete_queue, std::tuple{name_});
}

service_call<own_doing> async_queue_calls::delete_if_exists() const {
    return carry_out_later(store_, &queue_calls::delete_if_exists, std::tuple{name_});
}

service_call<bool> async_queue_calls::exists() const {
    return carry_out_later(store_, &queue_calls::exists, std::tuple{name_});
}

service_call<queue_message> async_queue_calls::put(std::string text, message_times times) const {
    return carry_out_later(store_, &queue_calls::put, std::tuple{name_, std::move(text), times});
}

service_call<std::vector<queue_message>> async_queue_calls::get(std::size_t most,
                                                                std::chrono::seconds hidden_for) const {
    return carry_out_later(store_, &queue_calls::get, std::tuple{name_, most, hidden_for});
}

service_call<std::vector<queue_message>> async_queue_calls::peek(std::size_t most) const {
    return carry_out_later(store_, &queue_calls::peek, std::tuple{name_, most});
}

service_call<message_receipt> async_queue_calls::update(message_receipt m, std::chrono::seconds hidden_for,
                                                        std::optional<std::string> text) const {
    return carry_out_later(store_, &queue_calls::update, std::tuple{name_, std::move(m), hidden_for, std::move(text)});
}

service_call<void> async_queue_calls::erase(message_receipt m) const {
    return carry_out_later(store_, &queue_calls::erase, std::tuple{name_, std::move(m)});
}

service_call<void> async_queue_calls::clear() const {
    return carry_out_later(store_, &queue_calls::clear, std::tuple{name_});
}

service_call<std::size_t> async_queue_calls::approximate_count() const {
    return carry_out_later(store_, &queue_calls::approximate_count, std::tuple{name_});
}

}  // namespace tablemap::detail
