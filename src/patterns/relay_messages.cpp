// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_pass.hpp"

#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <utility>

namespace tablemap::inline v0_1::detail {

std::chrono::seconds hidden_time(relay_options const& o) noexcept {
    constexpr std::chrono::seconds longest = std::chrono::hours{7 * 24};
    return std::min(o.lease, longest);
}

message_hold::message_hold(relay_core const& relay, environment const& env, std::string id, std::string receipt)
    : relay_(&relay),
      env_(&env),
      id_(std::move(id)),
      receipt_(std::move(receipt)),
      renew_at_(env.now() + hidden_time(relay.options) / 2) {}

task<> message_hold::renew_if_needed() {
    if (!relay_ || env_->now() < renew_at_) co_return;
    auto const hidden = hidden_time(relay_->options);
    request const renewal = update_message{relay_->place.queue, id_, receipt_, hidden, {}};
    auto answer = co_await ask(renewal);
    renew_at_ = env_->now() + hidden / 2;
    if (answer.ok() && answer.service && !answer.service->messages.empty())
        receipt_ = answer.service->messages.front().receipt;
}

task<result<void>> message_hold::finish(std::optional<std::chrono::milliseconds> again_after) {
    if (!relay_) co_return result<void>{};
    auto ended = co_await end_message(relay_->place.queue, id_, receipt_, again_after);
    co_return ended;
}

task<result<void>> end_message(std::string queue, std::string id, std::string receipt,
                               std::optional<std::chrono::milliseconds> again_after) {
    request last;
    if (again_after) {
        auto const wait = std::clamp(std::chrono::ceil<std::chrono::seconds>(*again_after), std::chrono::seconds{0},
                                     std::chrono::seconds{std::chrono::hours{7 * 24}});
        last = update_message{queue, id, receipt, wait, {}};
    } else {
        last = delete_message{queue, id, receipt};
    }
    auto const answer = co_await ask(last);
    if (answer.ok()) co_return result<void>{};
    auto const code = answer.failure->code();
    if (code == service_errc::message_not_found || code == service_errc::pop_receipt_mismatch) co_return result<void>{};
    co_return failure{*answer.failure};
}

std::string poison_queue(std::string_view queue) { return std::string{queue} + "-poison"; }

task<result<void>> put_poison(relay_core const& relay, std::string text) {
    auto const queue = poison_queue(relay.place.queue);
    request const message = put_message{queue, text};
    auto answer = co_await ask(message);
    if (answer.ok()) co_return result<void>{};
    if (answer.failure->code() != service_errc::queue_not_found) co_return failure{*answer.failure};
    request const creation = create_queue{queue};
    auto const created = co_await ask(creation);
    if (!created.ok() && created.failure->code() != service_errc::queue_already_exists)
        co_return failure{*created.failure};
    auto const again = co_await ask(message);
    if (!again.ok()) co_return failure{*again.failure};
    co_return result<void>{};
}

}  // namespace tablemap::detail
