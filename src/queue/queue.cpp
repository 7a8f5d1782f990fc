// SPDX-License-Identifier: Apache-2.0
#include "tablemap/queue/queue.hpp"

#include "queue/queue_calls.hpp"

#include <utility>

namespace tablemap::inline v0_1 {

namespace calls = detail::queue_calls;
using detail::carry_out;

queue::queue(store_ptr s, std::string name) : store_(std::move(s)), name_(std::move(name)) { calls::check_name(name_); }

result<void> queue::try_create(call_options const& o) const { return carry_out(*store_, calls::create(name_), o); }

result<own_doing> queue::try_create_if_not_exists(call_options const& o) const {
    return carry_out(*store_, calls::create_if_not_exists(name_), o);
}

result<void> queue::try_delete_queue(call_options const& o) const {
    return carry_out(*store_, calls::delete_queue(name_), o);
}

result<own_doing> queue::try_delete_if_exists(call_options const& o) const {
    return carry_out(*store_, calls::delete_if_exists(name_), o);
}

result<bool> queue::try_exists(call_options const& o) const { return carry_out(*store_, calls::exists(name_), o); }

result<queue_message> queue::try_put(std::string_view text, message_times times, call_options const& o) const {
    return carry_out(*store_, calls::put(name_, text, times), o);
}

result<std::vector<queue_message>> queue::try_get(std::size_t most, std::chrono::seconds hidden_for,
                                                  call_options const& o) const {
    return carry_out(*store_, calls::get(name_, most, hidden_for), o);
}

result<std::vector<queue_message>> queue::try_peek(std::size_t most, call_options const& o) const {
    return carry_out(*store_, calls::peek(name_, most), o);
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          call_options const& o) const {
    return carry_out(*store_, calls::update(name_, m, hidden_for, std::nullopt), o);
}

result<message_receipt> queue::try_update(message_receipt const& m, std::chrono::seconds hidden_for,
                                          std::string_view text, call_options const& o) const {
    return carry_out(*store_, calls::update(name_, m, hidden_for, text), o);
}

result<void> queue::try_erase(message_receipt const& m, call_options const& o) const {
    return carry_out(*store_, calls::erase(name_, m), o);
}

result<void> queue::try_clear(call_options const& o) const { return carry_out(*store_, calls::clear(name_), o); }

result<std::size_t> queue::try_approximate_count(call_options const& o) const {
    return carry_out(*store_, calls::approximate_count(name_), o);
}

// --- the same, throwing ----------------------------------------------------------------------------------------------

void queue::create(call_options const& o) const { value_or_throw(try_create(o)); }
own_doing queue::create_if_not_exists(call_options const& o) const {
    return value_or_throw(try_create_if_not_exists(o));
}
void queue::delete_queue(call_options const& o) const { value_or_throw(try_delete_queue(o)); }
own_doing queue::delete_if_exists(call_options const& o) const { return value_or_throw(try_delete_if_exists(o)); }
bool queue::exists(call_options const& o) const { return value_or_throw(try_exists(o)); }

queue_message queue::put(std::string_view text, message_times times, call_options const& o) const {
    return value_or_throw(try_put(text, times, o));
}
std::vector<queue_message> queue::get(std::size_t most, std::chrono::seconds hidden_for, call_options const& o) const {
    return value_or_throw(try_get(most, hidden_for, o));
}
std::vector<queue_message> queue::peek(std::size_t most, call_options const& o) const {
    return value_or_throw(try_peek(most, o));
}
message_receipt queue::update(message_receipt const& m, std::chrono::seconds hidden_for, call_options const& o) const {
    return value_or_throw(try_update(m, hidden_for, o));
}
message_receipt queue::update(message_receipt const& m, std::chrono::seconds hidden_for, std::string_view text,
                              call_options const& o) const {
    return value_or_throw(try_update(m, hidden_for, text, o));
}
void queue::erase(message_receipt const& m, call_options const& o) const { value_or_throw(try_erase(m, o)); }
void queue::clear(call_options const& o) const { value_or_throw(try_clear(o)); }
std::size_t queue::approximate_count(call_options const& o) const { return value_or_throw(try_approximate_count(o)); }

}  // namespace tablemap
