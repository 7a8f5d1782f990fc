// SPDX-License-Identifier: Apache-2.0
#include "tablemap/detail/store/flow_run.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace tablemap::inline v0_1::detail {

struct flow_channel::state {
    class slot final : public receiver {
    public:
        slot(state& s, std::size_t index) noexcept : number(index), state_(&s) {}
        void complete(response&& a) noexcept override {
            answer = std::move(a);
            state_->arrived(*this);
        }

        std::size_t number;
        slot_options options{};
        response answer{};
        sent_note sent{};
        slot* next = nullptr;

    private:
        state* state_;
    };

    void arrived(slot& s) noexcept {
        std::scoped_lock const lock{mutex};
        (last ? last->next : first) = &s;
        last = &s;
        any.store(true, std::memory_order_relaxed);
        came.notify_one();  // under the lock: the waiting thread may destroy this as soon as it can
    }

    /// Precondition: the lock is held.
    std::optional<arrival> pop() {
        auto* const s = first;
        if (!s) return std::nullopt;
        first = std::exchange(s->next, nullptr);
        if (!first) last = nullptr;
        any.store(first != nullptr, std::memory_order_relaxed);
        --open;
        return arrival{s->number, std::move(s->answer), s->sent};
    }

    store& where;
    call_context& call;
    std::deque<slot> slots{};
    std::size_t open = 0;  ///< sent and not taken yet
    std::atomic<bool> any{false};
    std::mutex mutex{};
    std::condition_variable_any came{};
    slot* first = nullptr;  ///< answers that were not taken, a list so that no memory is needed
    slot* last = nullptr;
};

flow_channel::flow_channel(store& s, call_context& call) : state_(new state{s, call}) {}

flow_channel::~flow_channel() {
    while (state_->open > 0) static_cast<void>(wait({}));
}

void flow_channel::send(request const& r, std::size_t slot, int attempt) {
    auto& s = *state_;
    while (s.slots.size() <= slot) s.slots.emplace_back(s, s.slots.size());
    auto& to = s.slots[slot];
    ++s.open;
    try {
        auto const& can = s.where.capabilities();
        to.sent = s.call.sending({&r, 1}, attempt);
        if (auto const why = s.call.env().why_stop())
            to.complete(not_sent(r, why));
        else if (can.remote)
            s.where.async_execute(r, to.options.next(can, s.call, attempt), to);
        else
            to.complete(s.where.execute(r, to.options.next(can, s.call, attempt)));
    } catch (...) {
        to.complete(response_of_throwing(r));  // otherwise the wait for it would never end
        throw;
    }
}

std::optional<flow_channel::arrival> flow_channel::poll() {
    if (!state_->any.load(std::memory_order_relaxed)) return std::nullopt;
    std::scoped_lock const lock{state_->mutex};
    return state_->pop();
}

std::optional<flow_channel::arrival> flow_channel::wait(std::optional<time_point> const& until) {
    auto& s = *state_;
    auto const& o = s.call.env().options();
    if (until && s.open == 0) {
        s.call.env().clock().sleep_until(*until, o.stop);
        return std::nullopt;
    }
    std::unique_lock lock{s.mutex};
    auto const there = [&] { return s.first != nullptr; };
    if (until && !o.clock && !o.stop.stop_requested())
        s.came.wait_until(lock, o.stop, *until, there);
    else
        s.came.wait(lock, there);
    return s.pop();
}

}  // namespace tablemap::detail
