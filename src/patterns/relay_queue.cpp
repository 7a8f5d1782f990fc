// SPDX-License-Identifier: Apache-2.0
#include "patterns/relay_queue.hpp"

#include "base/ascii.hpp"
#include "patterns/option_check.hpp"
#include "store/ask.hpp"
#include "tablemap/detail/mapping/json.hpp"
#include "tablemap/detail/wire/reader.hpp"
#include "tablemap/edm/limits.hpp"
#include "tablemap/edm/names.hpp"
#include "tablemap/store/queue_request.hpp"
#include "tablemap/store/service_response.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace tablemap::inline v0_1::detail {
namespace {

struct work_message {
    std::string kind{};
    std::string table{};
    std::string partition{};
};

struct failed_message {
    std::string kind{};
    std::string table{};
    std::string partition{};
    std::int64_t dequeue_count{};
    std::string reason{};
};

struct foreign_message {
    std::string kind{};
    std::int64_t dequeue_count{};
    std::string reason{};
    std::string text{};
};

std::string kind_of(relay_queue const& queue, std::string_view end = {}) {
    return std::string{"tablemap."}.append(queue.what).append(end);
}

constexpr std::string_view failed_end_of_kind = ".failed";

template <class Message>
std::optional<std::string> partition_of(relay_queue const& queue, std::string_view text, std::string_view end) {
    Message m;
    if (!read_json(text, m) || m.kind != kind_of(queue, end) || !equal_ignoring_case(m.table, queue.table))
        return std::nullopt;
    if (!check_key(m.partition)) return std::nullopt;
    return std::move(m.partition);
}

/// Text that is not UTF-8 makes no message: the reader sees an empty one.
template <class Message> std::string message_json(Message const& m) {
    std::string text;
    if (!append_json(text, m)) text.clear();
    return text;
}

}  // namespace

// ---- texts ----------------------------------------------------------------------------------------------------------

std::string message_text(relay_queue const& queue, std::string_view partition_key) {
    return message_json(work_message{kind_of(queue), std::string{queue.table}, std::string{partition_key}});
}

std::optional<std::string> partition_in(relay_queue const& queue, std::string_view text) {
    return partition_of<work_message>(queue, text, {});
}

std::optional<std::string> failed_partition_in(relay_queue const& queue, std::string_view text) {
    return partition_of<failed_message>(queue, text, failed_end_of_kind);
}

std::string foreign_text(relay_queue const& queue, std::string_view text, std::uint32_t dequeue_count) {
    auto wrapped = message_json(foreign_message{.kind = kind_of(queue, ".foreign"),
                                                .dequeue_count = dequeue_count,
                                                .reason = std::string{"the message is not of this "}.append(queue.what),
                                                .text = std::string{text}});
    bool const fits = !wrapped.empty() && wrapped.size() <= limits::message_bytes;
    return fits ? wrapped : std::string{text};
}

std::string failed_text(relay_queue const& queue, std::string_view partition_key, std::uint32_t dequeue_count,
                        std::string reason) {
    return message_json(failed_message{.kind = kind_of(queue, failed_end_of_kind),
                                       .table = std::string{queue.table},
                                       .partition = std::string{partition_key},
                                       .dequeue_count = dequeue_count,
                                       .reason = std::move(reason)});
}

// ---- messages -------------------------------------------------------------------------------------------------------

task<result<void>> announce(relay_queue const& queue, std::string partition_key) {
    auto const text = message_text(queue, partition_key);
    request const message = put_message{queue.name, text};
    auto const answer = co_await ask(message);
    if (!answer.ok()) co_return failure{*answer.failure};
    co_return result<void>{};
}

task<result<void>> announce_once(relay_queue const& queue, std::string partition_key) {
    auto const text = message_text(queue, partition_key);
    request const message = put_message{queue.name, text};
    exchange answered;
    std::array<exchange*, 1> const with{&answered};
    std::span<request const> const wanted{&message, 1};
    co_await ask_once(wanted, with, 1);
    if (!answered.answer.ok()) co_return failure{*answered.answer.failure};
    co_return result<void>{};
}

std::string poison_queue(std::string_view queue) { return std::string{queue} + "-poison"; }

result<void> check_relay_queue(std::string_view queue) {
    if (queue.empty()) return {};
    if (check_resource_name(queue) && check_resource_name(poison_queue(queue))) return {};
    return failure{out_of_range("queue", "the name of a queue has 3 to 56 of the characters a to z, 0 to 9 and hyphen, "
                                         "so that there is room for `-poison` behind it, and ends with no hyphen")};
}

task<result<void>> put_poison(relay_queue const& queue, std::string text) {
    auto const poison = poison_queue(queue.name);
    request const message = put_message{poison, text};
    auto answer = co_await ask(message);
    if (answer.ok()) co_return result<void>{};
    if (answer.failure->code() != service_errc::queue_not_found) co_return failure{*answer.failure};
    request const creation = create_queue{poison};
    auto const created = co_await ask(creation);
    if (!created.ok() && created.failure->code() != service_errc::queue_already_exists)
        co_return failure{*created.failure};
    auto const again = co_await ask(message);
    if (!again.ok()) co_return failure{*again.failure};
    co_return result<void>{};
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

message_hold::message_hold(relay_queue const& queue, environment const& env, std::string id, std::string receipt)
    : queue_(&queue),
      env_(&env),
      id_(std::move(id)),
      receipt_(std::move(receipt)),
      renew_at_(env.now() + queue.hidden / 2) {}

task<> message_hold::renew_if_needed() {
    if (!queue_ || env_->now() < renew_at_) co_return;
    request const renewal = update_message{queue_->name, id_, receipt_, queue_->hidden, {}};
    auto answer = co_await ask(renewal);
    renew_at_ = env_->now() + queue_->hidden / 2;
    if (answer.ok() && answer.service && !answer.service->messages.empty())
        receipt_ = answer.service->messages.front().receipt;
}

task<result<void>> message_hold::finish(std::optional<std::chrono::milliseconds> again_after) {
    if (!queue_) co_return result<void>{};
    std::string name{queue_->name};
    auto ended = co_await end_message(std::move(name), id_, receipt_, again_after);
    co_return ended;
}

}  // namespace tablemap::detail
