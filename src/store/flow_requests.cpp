// SPDX-License-Identifier: Apache-2.0
#include "store/flow_requests.hpp"

namespace tablemap::inline v0_1::detail {

std::size_t flow_requests::begin(request const& r) {
    std::size_t slot = slots_.size();
    if (free_.empty()) {
        slots_.emplace_back(policy_);
        free_.reserve(slots_.size());
    } else {
        slot = free_.back();
        free_.pop_back();
        slots_[slot] = slot_state{policy_};
    }
    auto& l = slots_[slot];
    l.next = &l.round.begin(step::send(r)).requests().front();
    wait(slot, time_point::min());
    return slot;
}

std::optional<std::size_t> flow_requests::due(time_point now) const noexcept {
    if (waiting_.empty() || waiting_.begin()->first > now) return std::nullopt;
    return waiting_.begin()->second;
}

std::optional<time_point> flow_requests::next_time() const noexcept {
    if (waiting_.empty()) return std::nullopt;
    return waiting_.begin()->first;
}

flow_step flow_requests::send(std::size_t slot) {
    auto& l = slots_[slot];
    waiting_.erase({l.due, slot});
    ++under_way_;
    ++sent_;
    if (l.tries++ > 0) ++retries_;
    return flow_step::send(*l.next, slot, l.round.tries());
}

void flow_requests::postpone(std::size_t slot, time_point until) {
    waiting_.erase({slots_[slot].due, slot});
    wait(slot, until);
}

void flow_requests::hurry() {
    std::set<std::pair<time_point, std::size_t>> waiting;
    waiting.swap(waiting_);
    for (auto const& w : waiting) wait(w.second, time_point::min());
}

void flow_requests::wait(std::size_t slot, time_point until) {
    slots_[slot].due = until;
    waiting_.emplace(until, slot);
}

std::optional<response> flow_requests::answered(environment const& env, std::size_t slot, response&& answer) {
    auto& l = slots_[slot];
    --under_way_;
    auto next = l.round.resume(env, {&answer, 1});
    if (!next) {
        free_.push_back(slot);
        return std::move(l.round.answers().front());
    }
    auto due = time_point::min();
    if (next->what() == step::kind::wait) {
        due = next->until();
        next = l.round.resume(env, {});  // the request to send then
    }
    l.next = &next->requests().front();
    wait(slot, due);
    return std::nullopt;
}

}  // namespace tablemap::detail
