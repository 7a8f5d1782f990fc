// SPDX-License-Identifier: Apache-2.0
#include "store/task_group.hpp"

#include <iterator>
#include <utility>

namespace tablemap::inline v0_1::detail {

void task_group::add(task<> t) {
    auto& added = members_.emplace_back(*this, std::move(t));
    added.place = std::prev(members_.end());
    added.what.get().promise().member = &added;
    if (engine_) begin(added);
}

void task_group::begin(std::coroutine_handle<> owner, task_engine& engine) noexcept {
    owner_.handle = owner;
    engine_ = &engine;
    for (auto& m : members_) begin(m);
}

void task_group::begin(task_group_member& m) noexcept {
    m.what.get().promise().engine = engine_;
    m.turn.handle = m.what.get();
    engine_->make_ready(m.turn);
}

void task_group::ended(task_group_member& m) noexcept {
    if (auto const& thrown = m.what.get().promise().thrown) return engine_->end_with(thrown);
    members_.erase(m.place);
    if (!members_.empty()) return;
    engine_->make_ready(owner_);
    engine_ = nullptr;
}

bool task_signal::notify_one() noexcept {
    if (waiting_.empty()) return false;
    auto& w = waiting_.front();
    waiting_.pop_front();
    if (w.until_) w.engine_->cancel(w.sleep_);
    w.notified_ = true;
    w.engine_->make_ready(w.turn_);
    return true;
}

void task_signal::waiting::begin(std::coroutine_handle<> h, task_engine& engine) {
    turn_.handle = h;
    engine_ = &engine;
    if (until_) sleep_ = engine.wait_until(*until_, *this);
    signal_.waiting_.push_back(*this);
}

void task_signal::waiting::wake() noexcept {
    unlink();
    engine_->make_ready(turn_);
}

}  // namespace tablemap::detail
