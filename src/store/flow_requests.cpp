// SPDX-License-Identifier: Apache-2.0
#include "store/flow_requests.hpp"

namespace tablemap::detail {

std::size_t flow_requests::begin(request const& r) {
    std::size_t lane = lanes_.size();
    if (free_.empty()) {
        lanes_.emplace_back(policy_);
        free_.reserve(lanes_.size());
    } else {
        lane = free_.back();
        free_.pop_back();
        lanes_[lane] = lane_state{policy_};
    }
    auto& l = lanes_[lane];
    l.next = &l.round.begin(step::send(r)).requests().front();
    wait(lane, time_point::min());
    return lane;
}

std::optional<std::size_t> flow_requests::due(time_point now) const noexcept {
    if (waiting_.empty() || waiting_.begin()->first > now) return std::nullopt;
    return waiting_.begin()->second;
}

std::optional<time_point> flow_requests::next_time() const noexcept {
    if (waiting_.empty()) return std::nullopt;
    return waiting_.begin()->first;
}

flow_step flow_requests::send(std::size_t lane) {
    auto& l = lanes_[lane];
    waiting_.erase({l.due, lane});
    ++under_way_;
    ++sent_;
    if (l.tries++ > 0) ++retries_;
    return flow_step::send(*l.next, lane, l.round.tries());
}

void flow_requests::postpone(std::size_t lane, time_point until) {
    waiting_.erase({lanes_[lane].due, lane});
    wait(lane, until);
}

void flow_requests::hurry() {
    std::set<std::pair<time_point, std::size_t>> waiting;
    waiting.swap(waiting_);
    for (auto const& w : waiting) wait(w.second, time_point::min());
}

void flow_requests::wait(std::size_t lane, time_point until) {
    lanes_[lane].due = until;
    waiting_.emplace(until, lane);
}

std::optional<response> flow_requests::answered(environment const& env, std::size_t lane, response&& answer) {
    auto& l = lanes_[lane];
    --under_way_;
    auto next = l.round.resume(env, {&answer, 1});
    if (!next) {
        free_.push_back(lane);
        return std::move(l.round.answers().front());
    }
    auto due = time_point::min();
    if (next->what() == step::kind::wait) {
        due = next->until();
        next = l.round.resume(env, {});  // what is to be sent then
    }
    l.next = &next->requests().front();
    wait(lane, due);
    return std::nullopt;
}

}  // namespace tablemap::detail
