// SPDX-License-Identifier: Apache-2.0
#include "tablemap/store/flow_run.hpp"

#include <utility>

namespace tablemap::detail {

flow_channel::~flow_channel() {
    while (open_ > 0) static_cast<void>(wait({}));
}

void flow_channel::send(request const& r, std::size_t lane) {
    while (slots_.size() <= lane) slots_.emplace_back(*this, slots_.size());
    auto& to = slots_[lane];
    ++open_;
    if (auto const why = env_.why_stop())
        to.complete(not_sent(r, why));
    else if (store_.can().remote)
        store_.async_execute(r, env_.options(), to);
    else
        to.complete(store_.execute(r, env_.options()));
}

void flow_channel::arrived(slot& s, response&& answer) noexcept {
    s.answer = std::move(answer);
    std::scoped_lock const lock{mutex_};
    (last_ ? last_->next : first_) = &s;
    last_ = &s;
    any_.store(true, std::memory_order_relaxed);
    came_.notify_one();  // under the lock: the waiting thread may destroy this as soon as it can
}

/// Precondition: the lock is held.
std::optional<flow_channel::arrival> flow_channel::pop() {
    auto* const s = first_;
    if (!s) return std::nullopt;
    first_ = std::exchange(s->next, nullptr);
    if (!first_) last_ = nullptr;
    any_.store(first_ != nullptr, std::memory_order_relaxed);
    --open_;
    return arrival{s->lane, std::move(s->answer)};
}

std::optional<flow_channel::arrival> flow_channel::poll() {
    if (!any_.load(std::memory_order_relaxed)) return std::nullopt;
    std::scoped_lock const lock{mutex_};
    return pop();
}

std::optional<flow_channel::arrival> flow_channel::wait(std::optional<time_point> const& until) {
    auto const& o = env_.options();
    if (until && open_ == 0) {
        env_.clock().sleep_until(*until, o.stop);
        return std::nullopt;
    }
    std::unique_lock lock{mutex_};
    auto const there = [&] { return first_ != nullptr; };
    if (until && !o.clock && !o.stop.stop_requested())
        came_.wait_until(lock, o.stop, *until, there);
    else
        came_.wait(lock, there);
    return pop();
}

}  // namespace tablemap::detail
